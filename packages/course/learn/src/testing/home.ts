import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFailed } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A person's home for `pnpm start` in a terminal. */
export interface Home {
  readonly folder: string;
  /** `pnpm start PAGE…`, in a terminal of its own. */
  start(...pages: string[]): Terminal;
  /** What is there of a session, but for the learner's own folder. */
  leftovers(): Promise<string[]>;
  /** Process ids of what was started, and of what that has started. Linux only. */
  processes(): Promise<string[]>;
  remove(): Promise<void>;
}

/** @param more variables of the person's own: SHELL, … */
export async function openHome(more: NodeJS.ProcessEnv = {}): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), "start-"));
  return {
    folder,
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
        NO_COLOR: "1",
        ...more,
      });
      onTestFailed(() => console.error(terminal.screen()));
      return terminal;
    },
    leftovers: async () => (await readdir(folder)).filter((name) => name !== ".cache"),
    async processes() {
      const pids = (await readdir("/proc")).filter(
        (entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid,
      );
      // Whoever has the folder in its environment is a descendant of what was started.
      const environments = await Promise.all(
        pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")),
      );
      return pids.filter((_pid, index) => environments[index]?.includes(folder));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
