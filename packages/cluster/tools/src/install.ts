import { mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isExecutable } from "./on-path.ts";
import { probeVersion } from "./probe-version.ts";
import { makeUserDirectory } from "./user-directories.ts";
import type { ProgramName } from "./versions.ts";

/** A tool in the cache. Its directory holds no other command, so it can be put on PATH. */
export interface InstalledTool {
  readonly path: string;
  readonly version: string;
}

/**
 * Installs a tool at `<tools>/<directory>/<name>`, completely or not at all. `fill` writes the executable
 * into a staging directory. The executable is run once to learn its version, and one rename makes it visible.
 * If two processes install at once, the first rename wins and both use that copy.
 *
 * @throws what `fill` throws
 * @throws UserDirectoryError when the cache is not writable
 * @throws Error when the executable does not run on this machine
 */
export async function installTool(
  name: ProgramName,
  tools: string,
  directory: string,
  fill: (path: string) => Promise<void>,
): Promise<InstalledTool> {
  await makeUserDirectory(tools, "cache");
  const staging = await mkdtemp(join(tools, `.${directory}-`));
  try {
    await fill(join(staging, name));
    const probe = await probeVersion(name, join(staging, name), { PATH: "" });
    if ("problem" in probe) throw new Error(`the unpacked ${name} ${probe.problem}`);
    await writeFile(join(staging, "version"), `${probe.version}\n`);
    await makeVisible(staging, join(tools, directory));
    return { path: join(tools, directory, name), version: probe.version };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Returns the tool that `installTool` has installed, or undefined. Moves an incomplete copy aside.
 *
 * @param size the executable's size in bytes, if known. It detects a copy that a full disk or a crash has
 *   truncated
 */
export async function installedTool(
  name: ProgramName,
  tools: string,
  directory: string,
  size?: number,
): Promise<InstalledTool | undefined> {
  const path = join(tools, directory, name);
  if ((await stat(join(tools, directory)).catch(() => undefined)) === undefined) return undefined;
  const version = await readFile(join(tools, directory, "version"), "utf8").catch(() => "");
  const whole = size === undefined || (await stat(path).catch(() => undefined))?.size === size;
  if (version.trim() !== "" && whole && (await isExecutable(path))) return { path, version: version.trim() };
  await discard(join(tools, directory));
  return undefined;
}

async function makeVisible(staging: string, target: string): Promise<void> {
  try {
    await rename(staging, target);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Another process was faster. Its copy has passed the same checks.
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

async function discard(directory: string): Promise<void> {
  const aside = `${directory}.broken-${process.pid}`;
  try {
    await rename(directory, aside);
  } catch {
    return; // It is missing, or another process has just moved it.
  }
  await rm(aside, { recursive: true, force: true });
}
