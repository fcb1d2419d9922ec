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
 * Works as `createOrUpdate`, but sends the difference as a merge patch, which never conflicts with other
 * writers. Sends a changed status as a second patch to the status subresource. The status of a newly created
 * object is not stored: the next reconcile writes it. Go: controllerutil.CreateOrPatch.
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
  // Each patch contains only its own part.
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
