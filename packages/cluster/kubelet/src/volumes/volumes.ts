import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Clock, Pod } from "@operator-path/client";
import { expand } from "../pod/environment.ts";
import type { ContainerSpec, EphemeralSpec } from "../pod/types.ts";
import { ConfigError } from "../runtime/errors.ts";
import type { PersistentVolumes } from "./persistent-volumes.ts";
import type { Mount, VolumeContent, VolumeFile } from "./volume.ts";
import { writeVolume } from "./volume-folder.ts";
import { hasGroup, isEmptyDir, VolumeError, type VolumeReader } from "./volume-reader.ts";

/**
 * The Pod's volumes by name. An emptyDir is shared by the Pod's containers, the others show the API. The copy
 * of a container's subPath is here as well, under a name that no volume can have.
 */
export type PodVolumes = Map<string, VolumeContent>;

/**
 * Creates a Pod's volumes: emptyDir, configMap, secret, downwardAPI, projected, and the PersistentVolumes of
 * its claims. They are in memory until a container that is a process of the host uses one of them.
 * @throws VolumeError
 */
export async function makeVolumes(
  reader: VolumeReader,
  pod: Pod,
  persistent?: PersistentVolumes,
): Promise<PodVolumes> {
  const volumes: PodVolumes = new Map();
  for (const volume of pod.spec?.volumes ?? []) {
    const { name, persistentVolumeClaim } = volume;
    if (persistent && persistentVolumeClaim) {
      volumes.set(name, await persistent.open(pod, { ...volume, persistentVolumeClaim }));
      continue;
    }
    const files = await reader.read(pod, volume);
    volumes.set(name, { name, files, readOnly: !isEmptyDir(volume), groupOwned: hasGroup(pod) });
  }
  return volumes;
}

/** The kubelet syncs each Pod about once a minute (syncFrequency, with jitter). */
const refreshMs = 60_000;

/**
 * Refreshes the volumes that show the API until the signal aborts: ConfigMaps and Secrets as they change,
 * tokens before they expire. The files of a deleted source stay.
 */
export async function refreshVolumes(options: {
  volumes: PodVolumes;
  reader: VolumeReader;
  pod: () => Pod;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  log(message: string): void;
}): Promise<void> {
  const specs = (options.pod().spec?.volumes ?? []).filter(
    (volume) => !isEmptyDir(volume) && !volume.persistentVolumeClaim,
  );
  while (specs.length > 0 && !options.signal.aborted) {
    await options.clock.sleep(refreshMs * (1 + options.random() / 2), options.signal).catch(() => undefined);
    for (const spec of specs) {
      if (options.signal.aborted) return;
      const volume = options.volumes.get(spec.name);
      try {
        if (volume) replaceFiles(volume, await options.reader.read(options.pod(), spec));
      } catch (error) {
        if (!(error instanceof VolumeError))
          options.log(`volume ${spec.name}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
}

function replaceFiles(volume: VolumeContent, files: Record<string, VolumeFile>): void {
  if (isDeepStrictEqual(files, volume.files)) return;
  // The folder comes first: if writing fails, the next round still sees the difference.
  if (volume.folder) writeVolume(volume.folder, files);
  volume.files = files;
  // Simulated containers read the new files.
  delete volume.made;
}

/** Removes the folders of a Pod's own volumes from the host. PersistentVolumes stay. */
export async function removeVolumes(volumes: PodVolumes | undefined): Promise<void> {
  for (const { folder, persistent } of volumes?.values() ?? []) {
    if (folder && !persistent) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Returns the mounts of a container that starts.
 * @param env the variables for subPathExpr
 * @throws ConfigError for a subPathExpr that cannot be expanded or leaves the volume
 */
export function containerMounts(
  spec: ContainerSpec | EphemeralSpec,
  volumes: PodVolumes,
  env: Record<string, string>,
): Mount[] {
  return (spec.volumeMounts ?? []).flatMap((mount) => {
    const { name, mountPath, readOnly = false } = mount;
    const volume = volumes.get(name);
    if (!volume) return [];
    const subPath = mount.subPathExpr ? expandSubPath(mount.subPathExpr, env) : mount.subPath;
    if (!subPath) return [{ volume, path: mountPath, readOnly }];
    const seen = volume.readOnly
      ? snapshotSubPath(volumes, volume, `${spec.name}:${mountPath}`, subPath)
      : volume;
    return [{ volume: seen, path: mountPath, readOnly, subPath }];
  });
}

/**
 * Expands a subPathExpr (pkg/kubelet: ExpandContainerVolumeMounts, makeMounts).
 * @throws ConfigError
 */
function expandSubPath(expression: string, env: Record<string, string>): string {
  const missing = new Set<string>();
  for (const [, name] of expression.matchAll(/\$\$|\$\(([^)]+)\)/g))
    if (name && !env[name]) missing.add(name);
  if (missing.size > 0) throw new ConfigError(`missing value for ${[...missing].sort().join(", ")}`);
  const subPath = expand(expression, env);
  if (subPath.startsWith("/"))
    throw new ConfigError(`error SubPath \`${subPath}\` must not be an absolute path`);
  if (subPath.split("/").includes(".."))
    throw new ConfigError(`unable to provision SubPath \`${subPath}\`: must not contain '..'`);
  return subPath;
}

/**
 * Returns a copy of a subPath for one container. It stays unchanged until the container starts again, even if
 * its source changes.
 */
function snapshotSubPath(
  volumes: PodVolumes,
  volume: VolumeContent,
  container: string,
  subPath: string,
): VolumeContent {
  const key = `${volume.name}:${container}`;
  const former = volumes.get(key)?.folder;
  if (former) rmSync(former, { recursive: true, force: true, maxRetries: 3 });
  const part = subPath.replace(/\/+$/, "");
  const files = Object.fromEntries(
    Object.entries(volume.files).filter(([path]) => path === part || path.startsWith(`${part}/`)),
  );
  const { name, readOnly = true, groupOwned = false } = volume;
  const copy: VolumeContent = { name, files, readOnly, groupOwned };
  volumes.set(key, copy);
  return copy;
}
