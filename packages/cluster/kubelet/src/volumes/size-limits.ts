import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { approximate, type Clock, type Pod, parseQuantity } from "@operator-path/client";
import type { VolumeContent } from "./volume.ts";
import type { PodVolumes } from "./volumes.ts";

/** The kubelet's housekeeping interval. */
const intervalMs = 10_000;

/**
 * Checks the emptyDir volumes that have a sizeLimit, until the signal aborts.
 * @param options.exceeded called once, with the kubelet's message (pkg/kubelet/eviction), when a volume
 *   exceeds its limit
 */
export async function watchSizeLimits(options: {
  pod: Pod;
  volumes: PodVolumes;
  clock: Clock;
  signal: AbortSignal;
  exceeded(message: string): void;
}): Promise<void> {
  const limits = (options.pod.spec?.volumes ?? []).flatMap(({ name, emptyDir }) =>
    emptyDir?.sizeLimit ? [{ name, limit: String(emptyDir.sizeLimit) }] : [],
  );
  while (limits.length > 0 && !options.signal.aborted) {
    await options.clock.sleep(intervalMs, options.signal).catch(() => undefined);
    for (const { name, limit } of limits) {
      const volume = options.volumes.get(name);
      const size = volume ? await sizeOf(volume) : 0;
      if (options.signal.aborted || size <= approximate(parseQuantity(limit))) continue;
      options.exceeded(`Usage of EmptyDir volume "${name}" exceeds the limit "${limit}". `);
      return;
    }
  }
}

/** Returns the size in bytes. Files that are created or removed meanwhile may count or not. */
async function sizeOf({ folder, made }: VolumeContent): Promise<number> {
  if (folder !== undefined) return sizeOnDisk(folder);
  if (made === undefined) return 0;
  const { fs } = made;
  const visit = async (path: string): Promise<number> => {
    const stat = await fs.lstat(path);
    if (!stat.isDirectory) return stat.size;
    const names = await fs.readdir(path);
    return sum(names.map((name) => visit(`${path === "/" ? "" : path}/${name}`)));
  };
  return visit("/").catch(() => 0);
}

async function sizeOnDisk(path: string): Promise<number> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat?.isDirectory()) return (stat?.blocks ?? 0) * 512;
  const names = await readdir(path).catch(() => []);
  return sum(names.map((name) => sizeOnDisk(join(path, name))));
}

async function sum(sizes: Promise<number>[]): Promise<number> {
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}
