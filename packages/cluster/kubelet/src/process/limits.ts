import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import type { Clock } from "@operator-path/client";
import { HostError } from "../runtime/errors.ts";

/** Milliseconds between two measurements. A process may allocate some hundred megabytes in between. */
const intervalMs = 250;

/**
 * Watches the memory of a process and its descendants, until the signal aborts. On Linux only. Counts anonymous and shared memory, which
 * the kernel cannot reclaim by dropping file pages.
 * @param limit bytes
 * @param exceeded called once, when they have more
 */
export async function watchMemory(options: {
  pid: number;
  limit: number;
  clock: Clock;
  signal: AbortSignal;
  exceeded(): void;
}): Promise<void> {
  if (process.platform !== "linux") return;
  while (!options.signal.aborted) {
    if ((await memoryOf(options.pid)) > options.limit) {
      if (!options.signal.aborted) options.exceeded();
      return;
    }
    await options.clock.sleep(intervalMs, options.signal).catch(() => undefined);
  }
}

/** Bytes; 0 for a process that has ended. */
async function memoryOf(pid: number): Promise<number> {
  const [status, descendants] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8").catch(() => ""),
    childrenOf(pid),
  ]);
  const own = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(
    ([, size]) => Number(size) * 1024,
  );
  const sizes = [...own, ...(await Promise.all(descendants.map(memoryOf)))];
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the PIDs of a process's children. The kernel lists a child with the thread that started it. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
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
  await Promise.all((await childrenOf(pid)).map(adjust));
}

/**
 * Keeps a quarter of the files that this process may open for everything else: each process of a Pod takes some five, and an API server
 * without any accepts no client, not even one that would delete Pods. On Linux only.
 * @throws HostError
 */
export function requireDescriptors(): void {
  if (process.platform !== "linux") return;
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1]);
  // "unlimited" is no number: then there is no need.
  if (Number.isNaN(limit) || readdirSync("/proc/self/fd").length <= limit * 0.75) return;
  throw new HostError(
    `start a process on this machine: the cluster may open ${limit} files, and most of them are open: run fewer Pods, or raise the limit (ulimit -n) before the cluster starts`,
  );
}
