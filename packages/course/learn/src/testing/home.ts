import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFailed } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A home folder for `pnpm start` in a terminal. */
export interface Home {
  readonly folder: string;
  /** The learner's folders and progress. */
  readonly work: string;
  /** Runs `pnpm start PAGE…` in its own terminal. */
  start(...pages: string[]): Terminal;
  /** Returns what remains of a session, except the learner's own folders. */
  leftovers(): Promise<string[]>;
  /** Returns the process ids of the started programs and their children. Linux only. */
  processes(): Promise<string[]>;
  remove(): Promise<void>;
}

/** @param more more variables: SHELL, … */
export async function openHome(more: NodeJS.ProcessEnv = {}): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), "start-"));
  const work = join(folder, "work");
  return {
    ...{ folder, work },
    start(...pages) {
      const main = new URL("../main.ts", import.meta.url).pathname;
      const {
        PATH,
        NODE_COMPILE_CACHE,
        XDG_CACHE_HOME = join(tmpdir(), "operator-path-test-cache"),
      } = process.env;
      const terminal = openTerminal(main, ["start", ...pages], {
        PATH,
        NODE_COMPILE_CACHE,
        XDG_CACHE_HOME,
        HOME: folder,
        TMPDIR: folder,
        OPERATOR_PATH_WORK: work,
        NO_COLOR: "1",
        ...more,
      });
      onTestFailed(() => console.error(terminal.screen()));
      return terminal;
    },
    leftovers: async () => (await readdir(folder)).filter((name) => ![".cache", "work"].includes(name)),
    async processes() {
      const pids = (await readdir("/proc")).filter(
        (entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid,
      );
      // A process with the folder in its environment descends from a started program.
      const environments = await Promise.all(
        pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")),
      );
      return pids.filter((_pid, index) => environments[index]?.includes(folder));
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}
