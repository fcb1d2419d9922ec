import { rm } from "node:fs/promises";
import {
  type Client,
  defineResource,
  isNotFound,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
} from "@operator-path/client";
import type { VolumeSpec } from "../pod/types.ts";
import type { VolumeContent } from "./volume.ts";
import { VolumeError } from "./volume-reader.ts";

const claims = defineResource<PersistentVolumeClaim>({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  namespaced: true,
});
const volumes = defineResource<PersistentVolume>({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});

/** The PersistentVolumes of a node. Their content outlives the Pods that use them, and ends with the node. */
export interface PersistentVolumes {
  /**
   * Returns the content of the volume to which a claim is bound. All Pods share it. The volume's source, such
   * as hostPath or a disk, has no effect: its content is always a folder of the simulation.
   * @throws VolumeError while the claim has no volume
   */
  open(
    pod: Pod,
    volume: VolumeSpec & { persistentVolumeClaim: { claimName: string } },
  ): Promise<VolumeContent>;
}

export function createPersistentVolumes(client: Client): PersistentVolumes {
  /** By the volume's uid, because a new volume of the same name is empty. */
  const known = new Map<string, VolumeContent>();
  return {
    async open(pod, { name, persistentVolumeClaim: { claimName } }) {
      const namespace = pod.metadata?.namespace ?? "default";
      const failed = (why: string) =>
        new VolumeError(`MountVolume.SetUp failed for volume "${name}" : ${why}`);
      const claim = await client.resource(claims).namespace(namespace).get(claimName).catch(ignoreNotFound);
      const what = `PVC ${namespace}/${claimName}`;
      if (claim === undefined) {
        throw failed(
          `error processing ${what}: failed to fetch PVC from API server: persistentvolumeclaims "${claimName}" not found`,
        );
      }
      const { volumeName } = claim.spec ?? {};
      if (!volumeName || claim.status?.phase !== "Bound")
        throw failed(`error processing ${what}: PVC is not bound`);
      const volume = await client.resource(volumes).get(volumeName).catch(ignoreNotFound);
      if (volume === undefined)
        throw failed(`error processing ${what}: failed to fetch PV ${volumeName} from API server`);
      const uid = volume.metadata?.uid ?? "";
      const content = known.get(uid) ?? { name: volumeName, files: {}, persistent: true };
      if (!known.has(uid)) await prune();
      known.set(uid, content);
      return content;
    },
  };

  /** Removes the content of deleted volumes. Runs when a new volume is opened. */
  async function prune(): Promise<void> {
    if (known.size === 0) return;
    const { items } = await client.resource(volumes).list();
    const alive = new Set(items.map(({ metadata }) => metadata?.uid));
    for (const [uid, { folder }] of known) {
      if (alive.has(uid)) continue;
      known.delete(uid);
      if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
