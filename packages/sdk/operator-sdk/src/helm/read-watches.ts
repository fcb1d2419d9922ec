import { join } from "node:path";
import { loadWatches, type Watch, WatchesError } from "@operator-path/helm-operator";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../one-line.ts";
import type { Tree } from "../scaffold/tree.ts";

export const watchesFile = "watches.yaml";

/**
 * The watches.yaml of a project, checked as the operator checks it when it starts.
 *
 * @throws CommandError in one line with all that is wrong with it
 */
export async function readWatches(tree: Tree, cwd: string): Promise<Watch[]> {
  if (tree.read(watchesFile) === undefined) {
    throw new CommandError(`${watchesFile} is not there, and has to be edited: take it from git`);
  }
  try {
    return await loadWatches(join(cwd, watchesFile));
  } catch (error) {
    if (!(error instanceof WatchesError)) throw error;
    const said = error.problems.map(({ line, entries, message }) => {
      const place = entries.map((index) => `[${index}]`).join(" and ");
      return `${watchesFile}:${line}: ${place && `${entries.length === 1 ? "entry" : "entries"} ${place}: `}${message}`;
    });
    throw new CommandError(`${oneLine(said.join("; "))}; nothing was written`);
  }
}
