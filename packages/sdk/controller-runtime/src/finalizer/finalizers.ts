import type { KubeObject } from "@operator-path/client";
import type { Client } from "../client/client.ts";
import { isEqualJson } from "../client/merge-patch.ts";
import { addFinalizer, containsFinalizer, removeFinalizer } from "../controllerutil/finalizers.ts";

/**
 * What is to be done before an object of this kind may go (Go: finalizer.Finalizer). It is done again when the write that
 * takes the finalizer away fails, so it has to come to the same when it is done twice.
 *
 * Returns the object if it has changed it, its status for example. What it throws keeps the finalizer where it is.
 */
export type Finalizer<T extends KubeObject> = (
  object: T,
  signal?: AbortSignal,
) => FinalizerResult<T> | void | Promise<FinalizerResult<T> | undefined> | Promise<void>;

export interface FinalizerResult<T extends KubeObject> {
  object?: T;
  /** It failed, and has changed the object nevertheless. */
  error?: unknown;
}

export interface FinalizeResult<T extends KubeObject> {
  /** As it should be; the same object when nothing is to be written. */
  readonly object: T;
  /** Something else than the status has changed. */
  readonly updated: boolean;
  /** The status has changed. */
  readonly statusUpdated: boolean;
  /** Finalizers that failed. `writeFinalized` throws it once what has changed is written. */
  readonly error: AggregateError | undefined;
}

/** Go: finalizer.Finalizers. */
export interface Finalizers<T extends KubeObject> {
  /** @throws Error when there is one of that name */
  register(name: string, finalizer: Finalizer<T>): void;
  /**
   * Puts every finalizer on an object that lives, and runs those of an object that is being deleted; the ones that
   * succeed are taken away. It writes nothing itself: `await writeFinalized(client, await finalizers.finalize(object))`.
   */
  finalize(object: T, signal?: AbortSignal): Promise<FinalizeResult<T>>;
}

export function createFinalizers<T extends KubeObject & { status?: unknown }>(): Finalizers<T> {
  const finalizers = new Map<string, Finalizer<T>>();

  return {
    register(name, finalizer) {
      if (finalizers.has(name))
        throw new Error(`finalizer for key ${JSON.stringify(name)} already registered`);
      finalizers.set(name, finalizer);
    },
    async finalize(object, signal) {
      let current = object;
      const errors: Error[] = [];
      for (const [name, finalizer] of finalizers) {
        // One that is being deleted gets no finalizer any more: the server would refuse it.
        if (!object.metadata?.deletionTimestamp) current = addFinalizer(current, name);
        else if (containsFinalizer(object, name)) {
          const { object: changed = current, error } = await run(finalizer, current, signal);
          current = error === undefined ? removeFinalizer(changed, name) : changed;
          if (error !== undefined) errors.push(failure(name, error));
        }
      }
      const withoutStatus = (of: T) => ({ ...of, status: undefined });
      return {
        object: current,
        updated: !isEqualJson(withoutStatus(object), withoutStatus(current)),
        statusUpdated: !isEqualJson(object.status, current.status),
        error: errors.length > 0 ? aggregate(errors) : undefined,
      };
    },
  };
}

/**
 * Writes what has changed: the status first, since the object may be gone once its last finalizer is; then the rest, of the
 * version that the first write has made. Returns the object as it is stored.
 *
 * @throws AggregateError of the finalizers that failed, after that
 */
export async function writeFinalized<T extends KubeObject>(
  client: Pick<Client, "update" | "status">,
  { object, updated, statusUpdated, error }: FinalizeResult<T>,
): Promise<T> {
  let stored = object;
  if (statusUpdated) stored = await client.status.update(object);
  if (updated) {
    const { resourceVersion } = stored.metadata ?? {};
    const metadata = { ...object.metadata, ...(resourceVersion ? { resourceVersion } : {}) };
    stored = await client.update({ ...object, metadata });
  }
  if (error) throw error;
  return stored;
}

async function run<T extends KubeObject>(
  finalizer: Finalizer<T>,
  object: T,
  signal: AbortSignal | undefined,
): Promise<FinalizerResult<T>> {
  try {
    return (await finalizer(object, signal)) ?? {};
  } catch (error) {
    return { error: error ?? new Error("it threw nothing") };
  }
}

function failure(name: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(`finalizer ${JSON.stringify(name)} failed: ${message}`, { cause });
}

function aggregate(errors: Error[]): AggregateError {
  return new AggregateError(errors, errors.map(({ message }) => message).join("; "));
}
