import type { ContainerFileSystem, ProcessContext } from "../runtime/contracts.ts";
import { SIGNALS, type Signal } from "../runtime/process-table.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** Names of users and groups, from the container's /etc. */
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

/** Tools that show user and host: id, whoami, hostname, uname. */
export function identityTools(
  context: ProcessContext,
  readAccounts: () => Promise<Accounts>,
): Record<string, Tool> {
  const { uid, gid } = context.container.config.credentials;
  const named = (id: number, name: string | undefined) => (name ? `${id}(${name})` : String(id));
  return {
    id: async (args) => {
      const { user, group } = await readAccounts();
      const flags = args.join("");
      if (flags.includes("u")) return ok(`${flags.includes("n") ? (user(uid) ?? uid) : uid}\n`);
      if (flags.includes("g")) return ok(`${flags.includes("n") ? (group(gid) ?? gid) : gid}\n`);
      return ok(
        `uid=${named(uid, user(uid))} gid=${named(gid, group(gid))} groups=${named(gid, group(gid))}\n`,
      );
    },
    whoami: async () => {
      const name = (await readAccounts()).user(uid);
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

/** Tools for the PID namespace and the terminal: ps, kill, uptime, free, stty. */
export function processTools(
  context: ProcessContext,
  readAccounts: () => Promise<Accounts>,
): Record<string, Tool> {
  const { processes, credentials, clock } = context.container.config;
  return {
    stty: ([what]) => {
      const { tty, terminal } = context.process;
      if (!tty) return failed("stty: standard input: Not a tty\n");
      const { width, height } = terminal?.size ?? { width: 0, height: 0 };
      if (what === "size") return ok(`${height} ${width}\n`);
      return ok(`speed 38400 baud; rows ${height}; columns ${width};\n`);
    },
    ps: async (args) => {
      const { user } = await readAccounts();
      // ps lists itself too: as this process, or as a child of the shell.
      const alone = /(^|\/)ps$/.test(context.process.argv[0] ?? "");
      const own = alone
        ? undefined
        : processes.add({
            ...context.process,
            ppid: context.process.pid,
            argv: ["ps", ...args],
            signal() {},
          });
      const rows = processes.list().map((process) => {
        const name = (user(process.uid) ?? String(process.uid)).slice(0, 8);
        return `${String(process.pid).padStart(5)} ${name.padEnd(8)}  0:00 ${process.argv.join(" ")}\n`;
      });
      if (own) processes.remove(own.pid);
      return ok(`PID   USER     TIME  COMMAND\n${rows.join("")}`);
    },
    kill: (args) => {
      let signal: Signal = "SIGTERM";
      const pids: number[] = [];
      for (const word of args) {
        if (!word.startsWith("-")) pids.push(Number(word));
        else {
          const named = word.replace(/^-s?/, "").toUpperCase();
          const found = (Object.keys(SIGNALS) as Signal[]).find(
            (name) => name === named || name === `SIG${named}` || String(SIGNALS[name]) === named,
          );
          if (!found) return failed(`kill: bad signal name '${word.slice(1)}'\n`);
          signal = found;
        }
      }
      if (pids.length === 0) return failed("kill: you need to specify whom to kill\n");
      for (const pid of pids) {
        const process = processes.get(pid);
        if (!process) return failed(`kill: can't kill pid ${pid}: No such process\n`);
        if (process.uid !== credentials.uid && !credentials.capabilities.has("KILL")) {
          return failed(`kill: can't kill pid ${pid}: Operation not permitted\n`);
        }
        // From inside the namespace, SIGKILL does not reach the first process.
        if (pid === 1 && signal === "SIGKILL") continue;
        process.signal(signal);
      }
      return ok("");
    },
    uptime: () =>
      ok(
        ` ${new Date(clock.now()).toISOString().slice(11, 19)} up 0 min,  0 users,  load average: 0.00, 0.00, 0.00\n`,
      ),
    free: () =>
      ok(
        "              total        used        free      shared  buff/cache   available\nMem:        8388608           0     8388608           0           0     8388608\nSwap:             0           0           0\n",
      ),
  };
}
