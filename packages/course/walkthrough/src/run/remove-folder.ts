import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { runProgram } from "./run-program.ts";

/**
 * Removes a run's folder. A project's node_modules are some fifteen thousand links: rm takes them away while this thread
 * serves the pages beside. What is still being written to is tried again.
 */
export async function removeFolder(folder: string): Promise<void> {
  await runProgram("rm", ["-rf", "--", folder], { cwd: dirname(folder), env: process.env }).catch(() => {});
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
