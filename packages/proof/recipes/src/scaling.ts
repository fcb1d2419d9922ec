import { createHash } from "node:crypto";
import { configMaps, deployments, secrets } from "@operator-path/client";
import {
  byObject,
  type Manager,
  type ManagerOptions,
  metadataOnly,
  newControllerManagedBy,
  type ReconcileFunction,
  type Request,
} from "@operator-path/controller-runtime";

/** The manager's option `cache`: only what the operator reads stays in memory. */
export const cache: NonNullable<ManagerOptions["cache"]> = {
  // One watch per namespace, so Roles there are enough.
  namespaces: ["shop"],
  byObject: [
    // The server sends only the objects with this label.
    byObject(secrets, { labelSelector: "app.kubernetes.io/managed-by=shop-operator" }),
    // Many objects that the operator seldom reads: they stay bytes outside of the heap until then.
    byObject(deployments, { store: "lazy" }),
  ],
};

/** Counts the ConfigMaps. The server sends their metadata alone, so their data takes no memory. */
export async function countConfigMaps({ client }: Pick<Manager, "client">): Promise<number> {
  return (await client.list(metadataOnly(configMaps))).length;
}

/** One of `count` replicas that share the objects: `index`, from 0, is the ordinal of a StatefulSet's Pod. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** @throws Error when the Pod's name does not end in an ordinal below `count` */
export function shardOf(podName: string, count: number): Shard {
  const index = Number(/-(\d+)$/.exec(podName)?.[1] ?? Number.NaN);
  if (index < count) return { index, count };
  throw new Error(`the Pod ${podName} is not one of ${count} shards: run a StatefulSet of ${count} replicas`);
}

/** Reconciles the ConfigMaps of one shard, four at a time. */
export function setupShard(manager: Manager, shard: Shard, reconcile: ReconcileFunction): void {
  newControllerManagedBy(manager)
    .for(configMaps)
    .withOptions({ maxConcurrentReconciles: 4 })
    .complete(async (request, context) => (isIn(shard, request) ? reconcile(request, context) : {}));
}

function isIn({ index, count }: Shard, { namespace, name }: Request): boolean {
  const hash = createHash("sha256").update(`${namespace}/${name}`).digest();
  return hash.readUInt32BE() % count === index;
}

/** Options of `createManager`: each shard has a Lease of its own, so all of them lead at the same time. */
export function shardByHash({ index }: Shard): ManagerOptions {
  return { leaderElection: { id: `shop-operator-${index}`, namespace: "shop" } };
}

/** The same, for objects whose label names their shard. The others are not even in the cache. */
export function shardByLabel(shard: Shard): ManagerOptions {
  const labelSelector = `shop.example.com/shard=${shard.index}`;
  return { ...shardByHash(shard), cache: { byObject: [byObject(configMaps, { labelSelector })] } };
}
