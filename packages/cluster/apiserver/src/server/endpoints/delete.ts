import { isDeepStrictEqual } from "node:util";
import { ApiStatusError, conflict, notFound } from "../../apimachinery/errors.ts";
import { timestamp } from "../../lib/clock.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { deleteAttributes } from "../admission/attributes.ts";
import type { Admission } from "../admission/chain.ts";
import { bytesReply, jsonReply, type Reply, type WholeReply } from "../http/reply.ts";
import { applyGracePeriod } from "../registry/grace-period.ts";
import { parseListOptions } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { Strategy, StrategyContext } from "../registry/strategy.ts";
import type { View } from "../registry/view.ts";
import { collectionOf } from "../storage/keys.ts";
import { createStoredObject, type StoredObject } from "../storage/stored-object.ts";
import type { ResourceType } from "../types/resource-type.ts";
import { type DeleteOptions, describeDeleteOptions, parseDeleteOptions } from "./delete-options.ts";
import { createEncoder } from "./encoder.ts";
import { find } from "./get.ts";
import { listObjects, listReply } from "./list.ts";

/** The parts of the server that a deletion uses. */
export interface DeleteContext extends StrategyContext {
  readonly admission: Admission;
}

export async function handleDelete(context: DeleteContext, scope: Scope, view: View): Promise<WholeReply> {
  const { type, request } = scope;
  const encoder = createEncoder(context, view, request);
  const options = await parseDeleteOptions(request);
  const found = find(context, scope);
  await view.ready([found], true);
  const { object, gone } = await admitAndDelete(context, scope, found, options);
  if (!gone || context.kindOf(type).strategy.returnsDeleted) {
    await view.ready([object]);
    return bytesReply(200, encoder.object(object));
  }
  const { group, plural } = type;
  const details = {
    name: scope.name,
    ...(group === "" ? {} : { group }),
    kind: plural,
    uid: object.object.metadata.uid,
  };
  return jsonReply(200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
}

/** Deletes the objects that a list with the same query would contain, and answers with that list. */
export async function handleDeleteCollection(
  context: DeleteContext,
  scope: Scope,
  view: View,
): Promise<Reply> {
  const encoder = createEncoder(context, view, scope.request);
  const options = await parseDeleteOptions(scope.request);
  const { items, meta } = listObjects(context, scope, parseListOptions(scope.request.query));
  for (const item of items) {
    const current = context.store.get(scope.collection, item.key);
    if (current !== undefined) await admitAndDelete(context, scope, current, options).catch(ignoreNotFound);
  }
  await view.ready(items);
  return listReply(encoder, items, meta);
}

/** Ignores a 404: another request has deleted the object meanwhile. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiStatusError) || error.code !== 404) throw error;
}

/**
 * Deletes all objects of a collection without admission. Objects with finalizers stay until these are
 * removed.
 */
export function deleteAll(context: StrategyContext, collection: string): void {
  const type = context.registry.resources().find((entry) => collectionOf(entry) === collection);
  if (type === undefined) return;
  for (const stored of context.store.range(collection)) {
    const current = context.store.get(collection, stored.key);
    if (current !== undefined) deleteObject(context, type, current, { dryRun: false, preconditions: {} });
  }
}

/**
 * Admits and deletes an object. If another request writes it while admission waits, admission runs again for
 * the new object.
 * @throws ApiStatusError 403, 404 or 409
 */
export async function admitAndDelete(
  context: DeleteContext,
  scope: Scope,
  stored: StoredObject,
  options: DeleteOptions,
): Promise<Deletion> {
  const { type, collection, request } = scope;
  const { strategy } = context.kindOf(type);
  for (let admitted = stored; ; ) {
    request.signal.throwIfAborted();
    const described = describeDeleteOptions(resolvedOptions(type, strategy, admitted.object, options));
    const attributes = deleteAttributes(scope, admitted.object, described, options.dryRun);
    const mutated = context.admission.mutate(attributes);
    if (mutated !== undefined) await mutated;
    const validated = context.admission.validate(attributes);
    if (validated !== undefined) await validated;
    const current = context.store.get(collection, stored.key);
    if (current === undefined) throw notFound(type.group, type.plural, attributes.name);
    if (current === admitted) return deleteObject(context, type, current, options);
    admitted = current;
  }
}

/** Returns the options with implied values: a Pod's own grace period, a namespace's UID. */
function resolvedOptions(
  type: ResourceType,
  { gracePeriod }: Pick<Strategy, "gracePeriod">,
  object: ApiObject,
  options: DeleteOptions,
): DeleteOptions {
  const period = gracePeriod?.(object, options.gracePeriodSeconds);
  const { uid } = object.metadata;
  const isNamespace = type.group === "" && type.plural === "namespaces";
  return {
    ...options,
    ...(period === undefined ? {} : { gracePeriodSeconds: period }),
    ...(isNamespace && uid !== undefined ? { preconditions: { uid, ...options.preconditions } } : {}),
  };
}

interface Deletion {
  /** The current object, or its last state. */
  object: StoredObject;
  gone: boolean;
}

/**
 * Deletes an object without admission (rest.BeforeDelete and registry.Store.Delete of k8s.io/apiserver). An
 * object with a grace period or finalizers only gets a deletionTimestamp, and the kubelet or the finalizers'
 * controllers finish the deletion.
 *
 * @throws ApiStatusError 403 or 409
 */
export function deleteObject(
  context: StrategyContext,
  type: ResourceType,
  stored: StoredObject,
  options: DeleteOptions,
): Deletion {
  const { strategy } = context.kindOf(type);
  const { object } = stored;
  checkPreconditions(type, object, options);
  strategy.validateDelete?.(object);
  const draft: ApiObject = { ...object, metadata: { ...object.metadata } };
  const grace = applyGracePeriod(strategy, draft, options, context.clock.now());
  if (grace === "pending") return { object: stored, gone: false };
  if (!strategy.withoutGarbageCollection) setCollectorFinalizers(draft, options.propagationPolicy);
  const hasFinalizers = (draft.metadata.finalizers ?? []).length > 0 || strategy.heldBack?.(draft) === true;
  if (!hasFinalizers && grace !== "waiting") return remove(context, type, stored, draft, options.dryRun);
  if (grace !== "waiting") markDeleting(context, draft, strategy);
  strategy.markDeleting?.(draft);
  if (options.dryRun) return { object: createStoredObject(stored.key, stored.revision, draft), gone: false };
  if (isDeepStrictEqual(draft, object)) return { object: stored, gone: false };
  const collection = collectionOf(type);
  const updated = context.store.replace(collection, stored, draft) as StoredObject;
  strategy.afterUpdate?.(updated.object, object, context);
  // The kind's own controller finishes the deletion. Return the object as marked for deletion.
  if (strategy.deletesItself) return { object: updated, gone: false };
  // Hooks may have finished the deletion.
  const now = context.store.get(collection, stored.key);
  return now === undefined ? { object: updated, gone: true } : { object: now, gone: false };
}

/** Removes the object. A kind with grace periods first gets one of 0, so that watchers see both events. */
function remove(
  context: StrategyContext,
  type: ResourceType,
  stored: StoredObject,
  draft: ApiObject,
  dryRun: boolean,
): Deletion {
  const changed = !isDeepStrictEqual(draft, stored.object);
  if (dryRun) return { object: createStoredObject(stored.key, stored.revision, draft), gone: true };
  const collection = collectionOf(type);
  const last = changed ? (context.store.replace(collection, stored, draft) as StoredObject) : stored;
  context.store.delete(collection, last);
  context.kindOf(type).strategy.afterDelete?.(last.object, context);
  return { object: last, gone: true };
}

export function checkPreconditions(
  type: ResourceType,
  object: ApiObject,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { metadata } = object;
  const fail = (why: string) => conflict(type.group, type.kind, metadata.name ?? "", why);
  if (uid !== undefined && uid !== metadata.uid) {
    throw fail(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw fail(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/** Sets the finalizers that tell the garbage collector what happens to the dependents. */
function setCollectorFinalizers(draft: ApiObject, policy: DeleteOptions["propagationPolicy"]): void {
  if (policy === undefined) return;
  const others = (draft.metadata.finalizers ?? []).filter(
    (finalizer) => finalizer !== "orphan" && finalizer !== "foregroundDeletion",
  );
  if (policy === "Orphan") others.push("orphan");
  if (policy === "Foreground") others.push("foregroundDeletion");
  if (others.length === 0) delete draft.metadata.finalizers;
  else draft.metadata.finalizers = others;
}

function markDeleting(context: StrategyContext, draft: ApiObject, strategy: Strategy): void {
  const { metadata } = draft;
  const now = context.clock.now();
  if (
    metadata.deletionTimestamp === undefined &&
    metadata.generation !== undefined &&
    !strategy.deletesItself
  ) {
    metadata.generation += 1;
  }
  if (metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > now) {
    metadata.deletionTimestamp = timestamp(now);
  }
  if (!strategy.deletesItself) metadata.deletionGracePeriodSeconds = 0;
}
