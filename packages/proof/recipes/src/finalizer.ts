import { defineResource, type Frozen, type KubeObject } from "@operator-path/client";
import {
  addFinalizer,
  asReconciler,
  type Client,
  containsFinalizer,
  type EventRecorder,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Reconciler,
  removeFinalizer,
} from "@operator-path/controller-runtime";

export interface Bucket extends KubeObject {
  spec?: { region?: string };
}

export const buckets = defineResource<Bucket>({
  ...{ group: "storage.example.com", version: "v1", kind: "Bucket", plural: "buckets" },
  namespaced: true,
});

/** Buckets at a provider. Both methods may be repeated. */
export interface BucketStore {
  /** Creates the bucket unless it exists. */
  ensure(id: string, signal: AbortSignal): Promise<void>;
  /** Deletes the bucket. Resolves when it does not exist. */
  remove(id: string, signal: AbortSignal): Promise<void>;
}

/** While a Bucket has it, the provider may have a bucket. */
const finalizer = "storage.example.com/bucket";
/** Set to "true" by a person who accepts that the provider keeps the bucket. */
const abandon = "storage.example.com/abandon";

/** Creates the reconciler of Buckets. */
export function createBucketReconciler(
  client: Client,
  store: BucketStore,
  recorder: Pick<EventRecorder, "event">,
): Reconciler {
  return asReconciler(client, buckets, async (bucket, { log, signal }) => {
    // A Bucket that is deleted and created again has another UID, so it never gets the old bucket.
    const id = bucket.metadata?.uid ?? "";
    if (bucket.metadata?.deletionTimestamp) return cleanUp(bucket, id, { log, signal });
    const wanted = addFinalizer(bucket, finalizer);
    if (wanted !== bucket) await client.update(wanted);
    await store.ensure(id, signal);
  });

  async function cleanUp(
    bucket: Frozen<Bucket>,
    id: string,
    { log, signal }: Pick<ReconcileContext, "log" | "signal">,
  ): Promise<void> {
    if (!containsFinalizer(bucket, finalizer)) return;
    if (bucket.metadata?.annotations?.[abandon] === "true") {
      log.warn(`Bucket ${id} stays at the provider`);
    } else {
      try {
        await store.remove(id, signal);
      } catch (error) {
        const message = `Bucket ${id} was not deleted: ${reasonOf(error)}`;
        recorder.event(bucket, "Warning", "CleanupFailed", message);
        throw error;
      }
    }
    await client.update(removeFinalizer(bucket, finalizer));
  }
}

/** Returns an error's message and those of its causes. `fetch` puts the reason into the cause. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/** Adds the controller of Buckets to the manager. */
export function setupBuckets(manager: Manager, store: BucketStore): void {
  const recorder = manager.eventRecorderFor("bucket-controller");
  newControllerManagedBy(manager)
    .for(buckets)
    .complete(createBucketReconciler(manager.client, store, recorder));
}
