import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFolderPrefix } from "./environment.ts";
import { runnerAlive, sweepProcesses } from "./processes.ts";

/**
 * Ends the processes and removes the folders of runs whose runner has died: a runner killed with -9 cannot clean up.
 * The next run also removes the folders that `--keep` kept.
 */
export function sweep(parent: string = tmpdir()): void {
  sweepProcesses();
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(runFolderPrefix)) continue;
    const marker = name.slice(runFolderPrefix.length).split("-")[0] ?? "";
    if (!runnerAlive(marker)) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
