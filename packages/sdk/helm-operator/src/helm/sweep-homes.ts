import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** What the folders of a process's helm begin with. */
export const homePrefix = (pid: number): string => `helm-operator-${pid}-`;

/** Removes the folders of operators that were killed, whatever they hold. It never fails: what cannot be removed stays. */
export async function sweepHomes(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  await Promise.all(names.map((name) => sweep(parent, name)));
}

async function sweep(parent: string, name: string): Promise<void> {
  const pid = Number(/^helm-operator-(\d+)-\w{6}$/.exec(name)?.[1]);
  if (!pid) return;
  const folder = join(parent, name);
  const found = await stat(folder).catch(() => undefined);
  // Of this user only: in a shared folder another one's may look like ours.
  if (found?.uid !== process.getuid?.() || !found?.isDirectory()) return;
  if (await isOver(pid, found.birthtimeMs))
    await rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** @param madeAt ms since epoch */
async function isOver(pid: number, madeAt: number): Promise<boolean> {
  // Every operator of a container is process 1: a folder that is older than this process was the one's before it.
  if (pid === process.pid) return madeAt < Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it is another user's, and alive.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
