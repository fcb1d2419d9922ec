import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa, type Result } from "execa";

/** `pnpm cluster` as in a user's shell, with an empty HOME. */
export interface CommandHome {
  readonly folder: string;
  /** The folder with its records of clusters. */
  readonly clusters: string;
  cli(...args: string[]): Promise<Result>;
  /** Limits the number of files that the command, and the cluster that it starts, may open. */
  cliWithFiles(files: number, ...args: string[]): Promise<Result>;
  /** Runs the command in a folder, with its stdout in a pipe that is closed after the first line. */
  cliToHead(cwd: string, ...args: string[]): Promise<Result>;
  /** Reads a cluster's record. */
  record(name: string): Promise<{ pid: number; url: string; kubeconfigPath: string }>;
  /** Stops running clusters, and removes the folder. */
  remove(): Promise<void>;
}

export async function openCommandHome(): Promise<CommandHome> {
  const folder = await mkdtemp(join(tmpdir(), "cluster-cli-"));
  const clusters = join(folder, "state", "operator-path", "clusters");
  const main = new URL("../main.ts", import.meta.url).pathname;
  const env = { HOME: "", XDG_STATE_HOME: join(folder, "state"), NO_COLOR: "1", MY_PASSWORD: "tiger" };
  const command = [process.execPath, "--conditions=@operator-path/source", main] as const;
  const cli = (...args: string[]): Promise<Result> =>
    execa(command[0], [...command.slice(1), ...args], { env, reject: false });
  return {
    folder,
    clusters,
    cli,
    cliWithFiles: (files, ...args) =>
      execa("sh", ["-c", `ulimit -n ${files}; exec "$@"`, "sh", ...command, ...args], { env, reject: false }),
    cliToHead: (cwd, ...args) =>
      execa("sh", ["-c", '"$@" | head -1', "sh", ...command, ...args], { cwd, env, reject: false }),
    record: async (name) => JSON.parse(await readFile(join(clusters, name, "cluster.json"), "utf8")),
    async remove() {
      for (const name of await readdir(clusters).catch(() => [])) await cli("down", "--name", name);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
