import { mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isExecutable } from "./on-path.ts";
import { probeVersion } from "./probe-version.ts";
import { makeUserDirectory } from "./user-directories.ts";
import type { ProgramName } from "./versions.ts";

/** A tool in the cache: a directory of its own, so that it can be put on PATH without neighbours. */
export interface InstalledTool {
  readonly path: string;
  readonly version: string;
}

/**
 * Puts a tool into `<tools>/<directory>/<name>`, all or nothing: `fill` writes the executable under a temporary
 * name, it is run once to learn its version, then one rename makes it visible. Two processes may do this at the
 * same time: the first rename wins and both use that copy. Throws what `fill` throws, UserDirectoryError
 * for a cache that cannot be written to, and when the filled executable does not run here.
 */
export async function installTool(
  name: ProgramName,
  tools: string,
  directory: string,
  fill: (path: string) => Promise<void>,
): Promise<InstalledTool> {
  await makeUserDirectory(tools, "cache");
  const workshop = await mkdtemp(join(tools, `.${directory}-`));
  try {
    await fill(join(workshop, name));
    const probe = await probeVersion(name, join(workshop, name), { PATH: "" });
    if ("problem" in probe) throw new Error(`the unpacked ${name} ${probe.problem}`);
    await writeFile(join(workshop, "version"), `${probe.version}\n`);
    await makeVisible(workshop, join(tools, directory));
    return { path: join(tools, directory, name), version: probe.version };
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/**
 * The tool that an earlier `installTool` left, or undefined. A `size` in bytes tells a whole file from one that a
 * full disk or a crash cut short; such a copy is moved out of the way.
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

async function makeVisible(workshop: string, target: string): Promise<void> {
  try {
    await rename(workshop, target);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Another process was quicker: its copy went through the same checks as ours.
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

async function discard(directory: string): Promise<void> {
  const aside = `${directory}.broken-${process.pid}`;
  try {
    await rename(directory, aside);
  } catch {
    return; // it is not there, or somebody else has just moved it
  }
  await rm(aside, { recursive: true, force: true });
}
