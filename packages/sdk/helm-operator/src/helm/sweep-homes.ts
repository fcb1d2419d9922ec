import { readlinkSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Returns the start of the names of a process's folders. Unique among the live processes of this machine. */
export const homePrefix = (pid: number): string => `helm-operator-${pidNamespace()}-${pid}-`;

/**
 * Containers that share a folder have the same PIDs in different PID namespaces. Returns 0 where there are
 * none.
 */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

/**
 * Removes the folders of killed operators, with their content. Keeps folders of other PID namespaces, whose
 * operators may be alive. Never fails: a folder that it cannot remove stays.
 */
export async function sweepHomes(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  await Promise.all(names.map((name) => sweep(parent, name)));
}

async function sweep(parent: string, name: string): Promise<void> {
  const pid = Number(/^helm-operator-\d+-(\d+)-\w{6}$/.exec(name)?.[1]);
  if (!pid || !name.startsWith(homePrefix(pid))) return;
  const folder = join(parent, name);
  const found = await stat(folder).catch(() => undefined);
  // In a shared folder, another user's folder may have such a name.
  if (found?.uid !== process.getuid?.() || !found?.isDirectory()) return;
  // Some file systems record no creation time, and all record when a folder's metadata last changed.
  if (isOver(pid, found.ctimeMs)) await rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** @param changedAt ms since epoch */
function isOver(pid: number, changedAt: number): boolean {
  // The operator of a container is often PID 1. A folder older than this process belongs to its predecessor.
  if (pid === process.pid) return changedAt < Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it belongs to another user, and is alive.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
