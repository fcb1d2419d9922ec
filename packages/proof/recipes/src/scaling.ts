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

/** How a replica gets its part of the objects. */
interface Sharding {
  /** Options of `createManager`. Each shard has its own Lease, so all shards lead at the same time. */
  readonly options: ManagerOptions;
  /** Whether this replica reconciles the object. */
  readonly isMine: (request: Request) => boolean;
}

/** Reconciles the ConfigMaps of one shard, four at a time. */
export function setupShard(
  manager: Manager,
  { isMine }: Pick<Sharding, "isMine">,
  reconcile: ReconcileFunction,
): void {
  newControllerManagedBy(manager)
    .for(configMaps)
    .withOptions({ maxConcurrentReconciles: 4 })
    .complete(async (request, context) => (isMine(request) ? reconcile(request, context) : {}));
}

/** Shares the objects by a hash of their names. */
export function shardByHash({ index, count }: Shard): Sharding {
  return {
    options: { leaderElection: { id: `shop-operator-${index}`, namespace: "shop" } },
    isMine: ({ namespace, name }) => {
      const hash = createHash("sha256").update(`${namespace}/${name}`).digest();
      return hash.readUInt32BE() % count === index;
    },
  };
}

/** Shares the objects by a label that names their shard. The cache holds no others. */
export function shardByLabel(shard: Shard): Sharding {
  const labelSelector = `shop.example.com/shard=${shard.index}`;
  return {
    options: {
      ...shardByHash(shard).options,
      cache: { byObject: [byObject(configMaps, { labelSelector })] },
    },
    // Not the hash as well: no replica would reconcile an object whose label and hash differ.
    isMine: () => true,
  };
}
