import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool, type ToolName } from "@operator-path/tools";
import { runFolderPrefix, runMarker } from "../leaks/processes.ts";

/** State that the runs of one verification share, so that it is made once. */
export interface Shared {
  /** Runs work one at a time, in the order of the calls, so that two runs do not do the same work at once. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the path of a tool, which is searched once. Rejects as `findTool` does. */
  tool(name: ToolName): Promise<string>;
  /**
   * Returns the shared folder with this name. The first call fills it with `make`. It has the same depth as a
   * run's working folder. Treat it as read-only. If `make` fails, every caller gets the same error.
   */
  folder(name: string, make: (folder: string) => Promise<void>): Promise<string>;
  /** Removes all folders. */
  [Symbol.dispose](): void;
}

/** @param parent folder for the folders. Default: the system's folder for temporary files */
export function createShared(parent: string = tmpdir()): Shared {
  let last: Promise<unknown> = Promise.resolve();
  const folders = new Map<string, Promise<string>>();
  const tools = new Map<ToolName, Promise<string>>();
  const made: string[] = [];

  async function fill(make: (folder: string) => Promise<void>): Promise<string> {
    const folder = mkdtempSync(join(realpathSync(parent), `${runFolderPrefix}${runMarker()}-`));
    made.push(folder);
    const work = join(folder, "work");
    mkdirSync(work);
    await make(work);
    return work;
  }

  return {
    inTurn(work) {
      const turn = last.then(work);
      last = turn.catch(() => {});
      return turn;
    },
    tool(name) {
      const known = tools.get(name) ?? findTool(name).then(({ path }) => path);
      tools.set(name, known);
      return known;
    },
    folder(name, make) {
      const known = folders.get(name) ?? fill(make);
      folders.set(name, known);
      return known;
    },
    [Symbol.dispose]() {
      for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
