import { readdirSync, readFileSync } from "node:fs";
import { HostError } from "./host-error.ts";

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
