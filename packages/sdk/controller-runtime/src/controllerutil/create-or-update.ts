import { isNotFound, type KubeObject, UsageError } from "@operator-path/client";
import type { Client } from "../client/client.ts";
import { copyJson } from "../client/copy-json.ts";
import { objectKeyOf } from "../client/object-key.ts";
import { isSameObject } from "../client/tidy-metadata.ts";

export interface OperationOptions {
  /** Of the read and the write: a reconcile's own. */
  signal?: AbortSignal | undefined;
}

/** What was done, to complete the sentence "Deployment default/web has been …". */
export type OperationResult = "unchanged" | "created" | "updated" | "updatedStatus" | "updatedStatusOnly";

/**
 * Makes what is wanted of what there is. It is given a copy that it may change, and may return another object instead.
 * Name and namespace are to stay.
 */
export type MutateFunction<T extends KubeObject> = (
  current: T,
) => T | void | Promise<T | undefined> | Promise<void>;

export interface Operation<T extends KubeObject> {
  readonly result: OperationResult;
  /** As the server has stored it. */
  readonly object: T;
}

/**
 * Creates the object if there is none of its name, updates it if the function changes anything, and sends nothing
 * otherwise (Go: controllerutil.CreateOrUpdate).
 *
 * ```ts
 * const wanted = { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } };
 * const { result } = await createOrUpdate(client, wanted, (deployment) => {
 *   deployment.spec = specFor(memcached, deployment.spec);
 *   return setControllerReference(memcached, deployment);
 * });
 * ```
 *
 * Of the object given, kind, namespace and name count, and the rest only where it is created. What the function sets and
 * the server changes again (a default that is taken away, a quantity written in another way) is sent each time: set only
 * what the object is about, or use `client.apply`. Changes to the status are not stored by kinds that have a status
 * subresource.
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

/** @throws UsageError when the function has changed the object's name or namespace */
export async function mutated<T extends KubeObject>(object: T, mutate: MutateFunction<T>): Promise<T> {
  const copy = copyJson(object);
  const wanted = (await mutate(copy)) ?? copy;
  const before = objectKeyOf(object);
  const after = objectKeyOf(wanted);
  if (before.name !== after.name || before.namespace !== after.namespace) {
    throw new UsageError(
      `the mutate function cannot change name or namespace: it made ${after.namespace}/${after.name} of ${before.namespace}/${before.name}`,
    );
  }
  return wanted;
}
