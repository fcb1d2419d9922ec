import { join } from "node:path";
import { runNode } from "./run-node.ts";
import type { WorkspacePackage } from "./workspace-packages.ts";

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
  await runNode(args, `the page of ${manifest.name} cannot be built`, { cwd: folder, signal });
}
