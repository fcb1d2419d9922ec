import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { identityOf } from "../process-identity.ts";

interface Holder {
  readonly pid: number;
  /** identityOf(pid). The lock is stale if the pid now belongs to another process. */
  readonly identity: string;
}

/**
 * Runs `work` while this process is the only one that builds `directory`. Other processes wait.
 *
 * A lock is taken over if its process has ended or it names none. A lock is created as a whole, so a partial
 * one is left from a crash.
 *
 * The lock only saves minutes of work. Two builders at once are correct too, because one rename makes a
 * program visible.
 */
export async function withBuildLock<T>(
  tools: string,
  directory: string,
  log: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(tools, { recursive: true });
  const lock = join(tools, `.${directory}.building`);
  const draft = unique(lock);
  const { pid } = process;
  await writeFile(draft, JSON.stringify({ pid, identity: (await identityOf(pid)) ?? "" } satisfies Holder));
  let reported: number | undefined;
  try {
    while (!(await linked(draft, lock))) {
      const holder = await livingHolder(lock);
      if (holder === undefined) {
        await removeStale(lock);
        continue;
      }
      if (reported !== holder.pid)
        log(`${directory}: waiting for process ${holder.pid}, which is building it`);
      reported = holder.pid;
      await sleep(100);
    }
  } finally {
    await rm(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Creates the lock as a link. If several processes try at once, exactly one succeeds. */
async function linked(draft: string, lock: string): Promise<boolean> {
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function livingHolder(lock: string): Promise<Holder | undefined> {
  const text = await readFile(lock, "utf8").catch(() => "");
  const holder = parse(text);
  return holder && (await identityOf(holder.pid)) === holder.identity ? holder : undefined;
}

/** Renames the lock before deleting it. If a live lock has just replaced the stale one, it is put back. */
async function removeStale(lock: string): Promise<void> {
  const aside = unique(lock);
  try {
    await rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (await livingHolder(aside)) await linked(aside, lock);
  await rm(aside, { force: true });
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, identity } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && typeof identity === "string"
      ? { pid: pid as number, identity }
      : undefined;
  } catch {
    return undefined;
  }
}

function unique(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}`;
}
