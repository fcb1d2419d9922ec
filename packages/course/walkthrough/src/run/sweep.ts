import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFolderPrefix } from "./environment.ts";
import { runnerAlive, sweepProcesses } from "./processes.ts";

/**
 * Ends the processes and removes the folders of runs whose runner is gone: after `kill -9` there is nobody else to do
 * it. Folders that `--keep` kept are of such runs too, from the next run on.
 */
export function sweep(parent: string = tmpdir()): void {
  sweepProcesses();
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(runFolderPrefix)) continue;
    const marker = name.slice(runFolderPrefix.length).split("-")[0] ?? "";
    if (!runnerAlive(marker)) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
