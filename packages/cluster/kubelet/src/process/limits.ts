import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import type { Clock } from "@operator-path/client";
import { HostError } from "../runtime/errors.ts";

/** Milliseconds between two measurements. Meanwhile, a process may allocate several hundred megabytes. */
const intervalMs = 250;

/**
 * Watches the memory of a process and its descendants until the signal aborts. Works on Linux only. Counts
 * anonymous and shared memory, which the kernel cannot reclaim by dropping file pages.
 * @param options.limit in bytes
 * @param options.exceeded called once, when the limit is exceeded
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

/** Returns the memory in bytes, or 0 if the process has ended. */
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

/** Returns the pids of a process's children. The kernel lists a child with the thread that started it. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/**
 * Makes the kernel kill this process and its descendants before the cluster and the user's programs, when the
 * machine has no memory left. Later descendants inherit this.
 */
export function endFirst(pid: number): void {
  if (process.platform === "linux") void adjust(pid);
}

async function adjust(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/oom_score_adj`, "1000").catch(() => {});
  await Promise.all((await childrenOf(pid)).map(adjust));
}

/**
 * Reserves a quarter of the cluster's file descriptors. Each process of a Pod takes about five, and an API
 * server without descriptors accepts no client, not even one that would delete Pods. Works on Linux only.
 * @throws HostError when less is left
 */
export function requireDescriptors(): void {
  if (process.platform !== "linux") return;
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1]);
  // "unlimited" is not a number and needs no check.
  if (Number.isNaN(limit) || readdirSync("/proc/self/fd").length <= limit * 0.75) return;
  throw new HostError(
    `start a process on this machine: the cluster may open ${limit} files, and most of them are open: run fewer Pods, or raise the limit (ulimit -n) before the cluster starts`,
  );
}
