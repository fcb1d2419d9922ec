import type { ContainerFileSystem, ProcessContext } from "../runtime/contracts.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** Names of users and groups, from the container's own /etc. */
export interface Accounts {
  user(uid: number): string | undefined;
  group(gid: number): string | undefined;
}

export async function accounts(files: ContainerFileSystem): Promise<Accounts> {
  const names = async (path: string) => {
    const text = await files.readFile(path).catch(() => "");
    return new Map(
      text
        .split("\n")
        .map((line) => line.split(":"))
        .map(([name = "", , id]) => [Number(id), name] as const),
    );
  };
  const [users, groups] = await Promise.all([names("/etc/passwd"), names("/etc/group")]);
  return { user: (uid) => users.get(uid), group: (gid) => groups.get(gid) };
}

/** Who and where: id, whoami, hostname, uname. */
export function identityTools(
  context: ProcessContext,
  people: () => Promise<Accounts>,
): Record<string, Tool> {
  const { uid, gid } = context.container.config.credentials;
  const named = (id: number, name: string | undefined) => (name ? `${id}(${name})` : String(id));
  return {
    id: async (args) => {
      const { user, group } = await people();
      const flags = args.join("");
      if (flags.includes("u")) return ok(`${flags.includes("n") ? (user(uid) ?? uid) : uid}\n`);
      if (flags.includes("g")) return ok(`${flags.includes("n") ? (group(gid) ?? gid) : gid}\n`);
      return ok(
        `uid=${named(uid, user(uid))} gid=${named(gid, group(gid))} groups=${named(gid, group(gid))}\n`,
      );
    },
    whoami: async () => {
      const name = (await people()).user(uid);
      return name ? ok(`${name}\n`) : failed(`whoami: unknown uid ${uid}\n`);
    },
    hostname: ([flag]) => ok(`${flag === "-i" ? context.network.ip : context.hostname}\n`),
    uname: (args) => {
      const fields: Record<string, string> = {
        s: "Linux",
        n: context.hostname,
        r: "simulated",
        v: "#1 operator-path",
        m: "x86_64",
        o: "GNU/Linux",
      };
      const flags = args.join("").replaceAll("-", "") || "s";
      const wanted = flags.includes("a")
        ? ["s", "n", "r", "v", "m", "o"]
        : Object.keys(fields).filter((flag) => flags.includes(flag));
      return ok(`${wanted.map((flag) => fields[flag]).join(" ")}\n`);
    },
  };
}
