import { isNotFound, type KubeObject, UsageError } from "@operator-path/client";
import type { Client } from "../client/client.ts";
import { copyJson } from "../client/copy-json.ts";
import { objectKeyOf } from "../client/object-key.ts";
import { isSameObject } from "../client/tidy-metadata.ts";

/** Configures `createOrUpdate` and `createOrPatch`. */
export interface OperationOptions {
  /** Cancels the read and the write. Pass the signal of the reconcile. */
  signal?: AbortSignal | undefined;
}

/** Completes the sentence "Deployment default/web has been …". */
export type OperationResult = "unchanged" | "created" | "updated" | "updatedStatus" | "updatedStatusOnly";

/**
 * Turns the current object into the wanted one. It receives a copy that it may change, or returns another
 * object. It must not change name or namespace.
 */
export type MutateFunction<T extends KubeObject> = (
  current: T,
) => T | void | Promise<T | undefined> | Promise<void>;

/** The result of `createOrUpdate` and `createOrPatch`. */
export interface Operation<T extends KubeObject> {
  readonly result: OperationResult;
  /** The object as the server stored it. */
  readonly object: T;
}

/**
 * Creates the object if it does not exist, updates it if `mutate` changes something, and otherwise sends
 * nothing. Go: controllerutil.CreateOrUpdate.
 *
 * ```ts
 * const wanted = { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } };
 * const { result } = await createOrUpdate(client, wanted, (deployment) => {
 *   deployment.spec = specFor(memcached, deployment.spec);
 *   return setControllerReference(memcached, deployment);
 * });
 * ```
 *
 * An update uses only kind, namespace and name of `object`. The rest is used for a create. If `mutate` sets a
 * value that the server changes again (a removed default, a quantity in another notation), every call sends
 * an update. So set only the fields that you own, or use `client.apply`. For kinds with a status subresource,
 * changes to the status are not stored.
 */
export async function createOrUpdate<T extends KubeObject>(
  client: Client,
  object: T,
  mutate: MutateFunction<T> = () => {},
  options: OperationOptions = {},
): Promise<Operation<T>> {
  const existing = await find(client, object, options);
  if (!existing) return create(client, object, mutate, options);
  const wanted = await mutated(existing, mutate);
  if (isSameObject(existing, wanted)) return { result: "unchanged", object: existing };
  return { result: "updated", object: await client.update(wanted, options) };
}

export async function find<T extends KubeObject>(
  client: Client,
  object: T,
  options: OperationOptions,
): Promise<T | undefined> {
  const resource = client.scheme.resourceFor(object);
  try {
    return (await client.get(resource, objectKeyOf(object), options)) as T;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export async function create<T extends KubeObject>(
  client: Client,
  object: T,
  mutate: MutateFunction<T>,
  options: OperationOptions,
): Promise<Operation<T>> {
  return { result: "created", object: await client.create(await mutated(object, mutate), options) };
}

/** @throws UsageError when the function changed the object's name or namespace */
export async function mutated<T extends KubeObject>(object: T, mutate: MutateFunction<T>): Promise<T> {
  const copy = copyJson(object);
  const wanted = (await mutate(copy)) ?? copy;
  const before = objectKeyOf(object);
  const after = objectKeyOf(wanted);
  if (before.name !== after.name || before.namespace !== after.namespace) {
    throw new UsageError(
      `the mutate function must not change name or namespace: it changed ${before.namespace}/${before.name} to ${after.namespace}/${after.name}`,
    );
  }
  return wanted;
}
