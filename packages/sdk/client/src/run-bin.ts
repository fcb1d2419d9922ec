import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { requireNode } from "./require-node.ts";

/**
 * Runs the program of a package's bin, unless this Node is too old for the package. Then it writes one line to stderr and
 * sets the exit code to 1. A static import of the program would fail before any check, with an error that names no version.
 *
 * @param url the `import.meta.url` of the bin, one folder below its package.json, whose `engines` says what it needs
 * @param load imports the program
 * @throws what `load` throws
 */
export async function runBin(url: string, load: () => Promise<unknown>): Promise<void> {
  const manifest = readFileSync(new URL("../package.json", url), "utf8");
  const oldest = (JSON.parse(manifest) as { engines: { node: string } }).engines.node.replace(">=", "");
  try {
    requireNode(basename(fileURLToPath(url), ".js"), oldest);
  } catch (error) {
    const local = `npm install node@${oldest.split(".")[0]}`;
    const remedy = `install a newer one, or run \`${local}\` in this folder and start the command with npx`;
    console.error(`error: ${(error as Error).message}: ${remedy}`);
    process.exitCode = 1;
    return;
  }
  await load();
}
