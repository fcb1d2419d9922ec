import type { KubeObject } from "@operator-path/client";
import type { Client } from "../client/client.ts";
import { isEqualJson } from "../client/merge-patch.ts";
import { mergeFrom } from "../client/patch.ts";
import { isSameObject } from "../client/tidy-metadata.ts";
import {
  create,
  find,
  type MutateFunction,
  mutated,
  type Operation,
  type OperationOptions,
} from "./create-or-update.ts";

/**
 * As `createOrUpdate`, but what is different is sent as a merge patch, which nobody else's change makes fail, and a
 * changed status as a second one, to the status subresource (Go: controllerutil.CreateOrPatch). The status of an object
 * that is created is not stored: the next reconcile does that.
 */
export async function createOrPatch<T extends KubeObject & { status?: unknown }>(
  client: Client,
  object: T,
  mutate: MutateFunction<T> = () => {},
  options: OperationOptions = {},
): Promise<Operation<T>> {
  const existing = await find(client, object, options);
  if (!existing) return create(client, object, mutate, options);
  const wanted = await mutated(existing, mutate);
  const isUpdated = !isSameObject(withoutStatus(existing), withoutStatus(wanted));
  const isStatusUpdated = !isEqualJson(existing.status, wanted.status);
  let stored = existing;
  // The diff of each patch is that of its own part: the other part is as it was.
  if (isUpdated) {
    stored = await client.patch({ ...wanted, status: existing.status }, mergeFrom(existing), options);
  }
  if (isStatusUpdated) {
    stored = await client.status.patch({ ...existing, status: wanted.status }, mergeFrom(existing), options);
  }
  if (!isStatusUpdated) return { result: isUpdated ? "updated" : "unchanged", object: stored };
  return { result: isUpdated ? "updatedStatus" : "updatedStatusOnly", object: stored };
}

function withoutStatus<T extends KubeObject>(object: T): T {
  return { ...object, status: undefined };
}
