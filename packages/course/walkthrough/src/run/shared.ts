import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool, type ToolName } from "@operator-path/tools";
import { runFolderPrefix, runMarker } from "../leaks/processes.ts";

/** What the runs of one verification have in common, so that it is made once. */
export interface Shared {
  /** One at a time, in the order of the calls: what two runs would do twice if they did it at once. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Path of a tool, looked for once. Rejects as `findTool` does. */
  tool(name: ToolName): Promise<string>;
  /**
   * A folder by that name, as `make` has filled it: made for whoever asks first. It stands as deep in the file system as
   * a run's working folder, and is nobody's to change. Rejects, for everybody, as `make` did.
   */
  folder(name: string, make: (folder: string) => Promise<void>): Promise<string>;
  /** Removes the folders. */
  [Symbol.dispose](): void;
}

/** @param parent where run folders are made; default the system's folder for temporary files */
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
