/**
 * Throws on a Node that is older than a package needs. Without it the first missing builtin ends the program, with an error
 * that names neither the package nor the version.
 *
 * @param packageName as in package.json
 * @param oldest as in its `engines`: `22.19`
 * @param running default: this process's version
 */
export function requireNode(packageName: string, oldest: string, running = process.versions.node): void {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(`${packageName} needs Node ${oldest} or newer, and this is Node ${running}`);
}
