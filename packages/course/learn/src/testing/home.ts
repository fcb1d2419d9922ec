import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
  /** Runs `pnpm start` in its own terminal, for a learner who has seen the tour: the menu of all pages. */
  menu(): Promise<Terminal>;
  /** Runs `pnpm learn COMMAND…` in its own terminal. */
  learn(...command: string[]): Terminal;
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
  const home: Home = {
    ...{ folder, work },
    start: (...pages) => home.learn("start", ...pages),
    async menu() {
      await mkdir(work, { recursive: true });
      const seen = JSON.stringify({ version: 1, tour: true });
      // Progress of the test itself stays.
      await writeFile(join(work, "progress.json"), seen, { flag: "wx" }).catch(() => undefined);
      return home.start();
    },
    learn(...command) {
      const main = new URL("../main.ts", import.meta.url).pathname;
      const {
        PATH,
        NODE_COMPILE_CACHE,
        // The pnpm that runs the tests need not be on the PATH.
        npm_execpath,
        XDG_CACHE_HOME = join(tmpdir(), "operator-path-test-cache"),
      } = process.env;
      const terminal = openTerminal(main, command, {
        PATH,
        NODE_COMPILE_CACHE,
        npm_execpath,
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
  return home;
}
