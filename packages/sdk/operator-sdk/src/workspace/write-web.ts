import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CommandError } from "../command-error.ts";
import type { WorkspacePackage } from "./workspace-packages.ts";

const run = promisify(execFile);

/**
 * Writes a package's page for the browser into `web` of its `dist`, if its package.json has `"operator-path":
 * { "web": "./scripts/….ts" }`. It runs that script, with the folder as its argument.
 *
 * @param compiled the folder that becomes `dist`
 * @throws CommandError with the script's output
 */
export async function writeWeb(
  { folder, manifest }: WorkspacePackage,
  compiled: string,
  signal?: AbortSignal,
): Promise<void> {
  const script = manifest["operator-path"]?.web;
  if (script === undefined) return;
  const args = ["--conditions=@operator-path/source", join(folder, script), join(compiled, "web")];
  try {
    await run(process.execPath, args, { cwd: folder, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new CommandError(`the page of ${manifest.name} cannot be built:\n${stderr.trimEnd() || message}`);
  }
}
