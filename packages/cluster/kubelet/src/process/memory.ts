import { readFile, writeFile } from "node:fs/promises";
import type { Clock } from "@operator-path/client";

/** How often a process's memory is looked at: it may allocate some hundred megabytes in between. */
const intervalMs = 250;

/**
 * Watches the memory of a process and its descendants, until the signal aborts. On Linux only. Counts what a cgroup would charge it for and
 * could not take back: memory that no file stands for.
 * @param limit bytes
 * @param exceeded called once, when they have more
 */
export async function watchMemory(o: {
  pid: number;
  limit: number;
  clock: Clock;
  signal: AbortSignal;
  exceeded(): void;
}): Promise<void> {
  if (process.platform !== "linux") return;
  while (!o.signal.aborted) {
    if ((await memoryOf(o.pid)) > o.limit) {
      if (!o.signal.aborted) o.exceeded();
      return;
    }
    await o.clock.sleep(intervalMs, o.signal).catch(() => undefined);
  }
}

/** Bytes; 0 for a process that has ended. */
async function memoryOf(pid: number): Promise<number> {
  const read = (path: string) => readFile(`/proc/${pid}/${path}`, "utf8").catch(() => "");
  const [status, children] = await Promise.all([read("status"), read(`task/${pid}/children`)]);
  const own = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(
    ([, size]) => Number(size) * 1024,
  );
  const descendants = children.split(" ").filter(Boolean).map(Number);
  const sizes = [...own, ...(await Promise.all(descendants.map(memoryOf)))];
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Makes the kernel end this process and its descendants, rather than the cluster or the person's programs, when the
 * machine has no memory left. What they start later inherits it.
 */
export function endFirst(pid: number): void {
  if (process.platform === "linux") void adjust(pid);
}

async function adjust(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/oom_score_adj`, "1000").catch(() => {});
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  await Promise.all(children.split(" ").filter(Boolean).map(Number).map(adjust));
}
