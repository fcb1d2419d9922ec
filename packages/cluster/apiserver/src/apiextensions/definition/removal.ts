import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import type { StrategyContext } from "../../server/registry/strategy.ts";
import { withdraw } from "./names.ts";
import {
  type Condition,
  type Definition,
  definitionCollection,
  withCondition,
  withConditionNow,
  writeStatus,
} from "./status.ts";

/** The finalizer of a definition that waits until its objects are deleted. */
const cleanup = "customresourcecleanup.apiextensions.k8s.io";

/**
 * Marks a definition as terminating, with a condition and a finalizer (apiextensions-apiserver, REST.Delete).
 */
export function markTerminating(draft: ApiObject): void {
  const { metadata, status } = draft as Definition;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(cleanup)) metadata.finalizers = [...finalizers, cleanup];
  const condition: Condition = {
    type: "Terminating",
    status: "True",
    lastTransitionTime: metadata.deletionTimestamp ?? "",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  draft.status = { ...status, conditions: withCondition(status?.conditions ?? [], condition) } as JsonObject;
}

/** Deletes the objects of a definition that is being deleted (CRDFinalizer). */
export function removeObjects(name: string, context: StrategyContext): void {
  const stored = context.store.get(definitionCollection, name);
  if (stored === undefined || !(stored.object.metadata.finalizers ?? []).includes(cleanup)) return;
  const condition = {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  };
  writeStatus(context, stored, withConditionNow(stored.object, condition, context));
  // The definition's name `<plural>.<group>` is also the name of its collection.
  context.deleteCollection(name);
  release(name, context);
}

/** Releases the definition of a deleted custom resource, if it waited for that object. */
export function releaseDefinition(deleted: ApiObject, context: StrategyContext): void {
  const { kind, apiVersion } = deleted;
  const group = apiVersion.split("/")[0];
  const type = context.registry
    .resources()
    .find((entry) => entry.custom !== undefined && entry.kind === kind && entry.group === group);
  if (type?.custom !== undefined) release(type.custom.definition, context);
}

/**
 * Removes the finalizer of a definition without objects. Deletes the definition if it has no other
 * finalizers.
 */
function release(name: string, context: StrategyContext): void {
  const stored = context.store.get(definitionCollection, name);
  if (stored?.object.metadata.deletionTimestamp === undefined || context.store.count(name) > 0) return;
  const { metadata } = stored.object;
  if (!(metadata.finalizers ?? []).includes(cleanup)) return;
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanup);
  if (finalizers.length === 0) {
    context.store.delete(definitionCollection, stored);
    withdraw(stored.object, context);
    return;
  }
  const condition = {
    type: "Terminating",
    status: "False",
    reason: "InstanceDeletionCompleted",
    message: "removed all instances",
  };
  const { finalizers: _gone, ...rest } = metadata;
  const draft = { ...stored.object, metadata: { ...rest, finalizers } };
  writeStatus(context, stored, withConditionNow(draft, condition, context));
}
