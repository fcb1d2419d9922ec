import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs the program of a package's bin. If this Node is too old for the package, it writes one line to stderr
 * instead and sets the exit code to 1. A static import of the program would fail before any check, with an
 * error that names no version.
 *
 * @param url the `import.meta.url` of the bin. Its package.json is one folder up; `engines` there names the
 *   Node version
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

/**
 * Throws if this Node is older than a package needs. Otherwise the first missing builtin would end the
 * program, with an error that names neither the package nor the version.
 *
 * @param packageName the name in package.json
 * @param oldest the oldest supported version, such as `22.19`
 * @param running default: the version of this process
 */
export function requireNode(packageName: string, oldest: string, running = process.versions.node): void {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(`${packageName} needs Node ${oldest} or newer, and this is Node ${running}`);
}
