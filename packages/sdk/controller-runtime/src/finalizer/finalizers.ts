import type { KubeObject } from "@operator-path/client";
import type { Client } from "../client/client.ts";
import { isEqualJson } from "../client/merge-patch.ts";
import { addFinalizer, containsFinalizer, removeFinalizer } from "../controllerutil/finalizers.ts";

/**
 * Cleans up before an object is deleted. It runs again when the write that removes the finalizer fails, so
 * running it twice must have the same effect. Returns the object if it has changed it, for example its
 * status. If it throws, the finalizer stays. Go: finalizer.Finalizer.
 */
export type Finalizer<T extends KubeObject> = (
  object: T,
  signal?: AbortSignal,
) => FinalizerResult<T> | void | Promise<FinalizerResult<T> | undefined> | Promise<void>;

/** The result of a finalizer. */
export interface FinalizerResult<T extends KubeObject> {
  object?: T;
  /** Set when the finalizer failed after it had changed the object. */
  error?: unknown;
}

/** The result of `Finalizers.finalize`, for `writeFinalized`. */
export interface FinalizeResult<T extends KubeObject> {
  /** The wanted object, or the same object when there is nothing to write. */
  readonly object: T;
  /** Whether something other than the status has changed. */
  readonly updated: boolean;
  /** Whether the status has changed. */
  readonly statusUpdated: boolean;
  /** The errors of finalizers that failed. `writeFinalized` throws it after writing the changes. */
  readonly error: AggregateError | undefined;
}

/** A set of finalizers by name. Go: finalizer.Finalizers. */
export interface Finalizers<T extends KubeObject> {
  /**
   * Adds a finalizer.
   *
   * @throws Error when a finalizer of that name exists
   */
  register(name: string, finalizer: Finalizer<T>): void;
  /**
   * Adds all finalizers to a live object. Runs those of an object that is being deleted, and removes the ones
   * that succeed. Writes nothing itself: `await writeFinalized(client, await finalizers.finalize(object))`.
   */
  finalize(object: T, signal?: AbortSignal): Promise<FinalizeResult<T>>;
}

/** Creates an empty set of finalizers. Go: finalizer.NewFinalizers. */
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
        // The server would reject a new finalizer on an object that is being deleted.
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
 * Writes the changes and returns the stored object. Writes the status first, because removing the last
 * finalizer may delete the object, and then the rest, based on the version of the first write.
 *
 * @throws AggregateError of the failed finalizers, after writing
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
    return { error: error ?? new Error("it threw undefined") };
  }
}

function failure(name: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(`finalizer ${JSON.stringify(name)} failed: ${message}`, { cause });
}

function aggregate(errors: Error[]): AggregateError {
  return new AggregateError(errors, errors.map(({ message }) => message).join("; "));
}
