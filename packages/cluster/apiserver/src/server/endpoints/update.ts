import { isDeepStrictEqual } from "node:util";
import { invalid } from "../../apimachinery/errors.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { writeAttributes } from "../admission/attributes.ts";
import type { Admission } from "../admission/chain.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import { decodeBody } from "../registry/decode-body.ts";
import { admitTracked, trackUpdate, withOldTimes } from "../registry/field-tracking.ts";
import { checkName, checkNamespace, keepSystemFields, tidyMetadata } from "../registry/metadata.ts";
import { parseWriteOptions, type WriteOptions } from "../registry/options.ts";
import { checkPreconditions, resetSystemFields, uidMismatch } from "../registry/preconditions.ts";
import type { Scope } from "../registry/scope.ts";
import type { Strategy, StrategyContext } from "../registry/strategy.ts";
import type { View } from "../registry/view.ts";
import { keyOf, storedGroup } from "../storage/keys.ts";
import { createStoredObject, type StoredObject } from "../storage/stored-object.ts";
import { type CreateContext, createObject } from "./create.ts";
import { createEncoder } from "./encoder.ts";
import { find } from "./get.ts";

/** The parts of the server that an update uses. */
export interface UpdateContext extends StrategyContext {
  readonly admission: Admission;
}

export async function handleUpdate(context: CreateContext, scope: Scope, view: View): Promise<WholeReply> {
  const { type, request } = scope;
  const kind = context.kindOf(type);
  const encoder = createEncoder(context, view, request);
  const options = parseWriteOptions(request.query, "UpdateOptions");
  const decode = async () => {
    const draft = await decodeBody(context, type, request, options.fieldValidation);
    checkNamespace(draft, scope);
    checkName(draft, scope.name);
    kind.setDefaults(draft);
    return draft;
  };
  let first: ApiObject | undefined = await decode();
  const mayCreate = kind.strategy.createOnUpdate === true && scope.subresource === "";
  const key = keyOf(type.namespaced ? scope.namespace : "", scope.name);
  if (mayCreate && context.store.get(scope.collection, key) === undefined) {
    if (first.metadata.uid) throw uidMismatch(scope, first.metadata.uid, "");
    const created = await createObject(context, scope, view, first, options);
    await view.ready([created]);
    return bytesReply(201, encoder.object(created));
  }
  const transform = () => {
    const draft = first ?? decode();
    first = undefined;
    return draft;
  };
  const updated = await updateObject(context, scope, view, transform, options);
  await view.ready([updated]);
  return bytesReply(200, encoder.object(updated));
}

/** A subresource with its own kind that changes an object: Scale. */
export interface SeenByAdmission {
  subresource: string;
  show(object: ApiObject): ApiObject;
  /** Copies the changes of plugins to the draft. */
  take(shown: ApiObject, draft: ApiObject): void;
}

/** Returns a new draft for the stored object, which is frozen and in the request's version. */
export type Transform = (old: ApiObject) => ApiObject | Promise<ApiObject>;

/**
 * Replaces an object by the result of `transform`. The draft's resourceVersion, if it has one, must be that
 * of the stored object. If another request writes while admission waits, everything runs again with the new
 * object (GuaranteedUpdate of k8s.io/apiserver).
 *
 * @param tracked whether the draft's managedFields are final. Otherwise the request owns what it changes
 * @param seen what admission receives instead of the object
 * @throws ApiStatusError 403, 404, 409 or 422
 */
export async function updateObject(
  context: UpdateContext,
  scope: Scope,
  view: View,
  transform: Transform,
  options: WriteOptions,
  tracked = false,
  seen?: SeenByAdmission,
): Promise<StoredObject> {
  const { type, request } = scope;
  const kind = context.kindOf(type);
  const { strategy } = kind;
  for (;;) {
    request.signal.throwIfAborted();
    const stored = find(context, scope);
    const converted = view.ready([stored]);
    if (converted !== undefined) await converted;
    const old = view.object(stored);
    const pending = transform(old);
    const draft = pending instanceof Promise ? await pending : pending;
    checkPreconditions(scope, strategy, draft, old);
    if (!tracked) trackUpdate(context, scope, draft, old, options);
    keepSystemFields(draft.metadata, old.metadata);
    const attributes =
      seen === undefined
        ? writeAttributes(scope, "UPDATE", draft, old, options)
        : writeAttributes(
            { ...scope, subresource: seen.subresource },
            "UPDATE",
            seen.show(draft),
            seen.show(old),
            options,
          );
    const mutated =
      seen === undefined ? admitTracked(context, attributes) : context.admission.mutate(attributes);
    if (mutated !== undefined) {
      await mutated;
      if (seen === undefined) resetSystemFields(scope, strategy, draft, old);
    }
    if (seen !== undefined) seen.take(attributes.object as ApiObject, draft);
    prepare(context, scope, draft, old);
    tidyMetadata(draft.metadata);
    const causes = kind.validate(draft, {
      old,
      subresource: scope.subresource,
      warn: request.warn,
    });
    if (causes.length > 0) throw invalid(storedGroup(type), draft.kind, draft.metadata.name ?? "", causes);
    if (scope.subresource === "") {
      for (const text of kind.warnings(draft, old)) request.warn(text);
    }
    const validated = context.admission.validate(attributes);
    if (validated !== undefined) {
      await validated;
      if (context.store.get(scope.collection, stored.key) !== stored) continue;
      strategy.afterWaiting?.(draft, old, context);
    }
    const pendingStorage = view.toStorage(draft);
    const storage = pendingStorage instanceof Promise ? await pendingStorage : pendingStorage;
    if (context.store.get(scope.collection, stored.key) !== stored) continue;
    // From here to the write nothing waits.
    const charge = context.admission.charge(attributes);
    if (!options.dryRun) charge?.();
    const written = writeUpdate(context, scope, stored, storage, options.dryRun);
    if (written !== undefined) return written;
  }
}

/** Resets the fields that this (sub)resource may not change, and counts generations. */
function prepare(context: UpdateContext, scope: Scope, draft: ApiObject, old: ApiObject): void {
  const { type, subresource } = scope;
  const { strategy } = context.kindOf(type);
  if (type.subresources.includes("status")) {
    if (subresource === "status") keepAllButStatus(draft, old, type.custom !== undefined);
    else keepStatus(draft, old);
  }
  strategy.prepareForUpdate?.(draft, old, context, subresource, scope);
  if (strategy.generation && subresource !== "status" && specChanged(scope, strategy, draft, old)) {
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
}

function keepStatus(draft: ApiObject, old: ApiObject): void {
  if (old.status === undefined) delete draft.status;
  else draft.status = old.status;
}

function keepAllButStatus(draft: ApiObject, old: ApiObject, custom: boolean): void {
  for (const field of new Set([...Object.keys(draft), ...Object.keys(old)])) {
    if (["apiVersion", "kind", "metadata", "status"].includes(field)) continue;
    if (old[field] === undefined) delete draft[field];
    else draft[field] = old[field];
  }
  // The status of a custom resource cannot change metadata. Kubelets, however, set labels and annotations
  // with it.
  if (custom) {
    const { managedFields } = draft.metadata;
    draft.metadata = { ...old.metadata, ...(managedFields === undefined ? {} : { managedFields }) };
  }
}

/**
 * Returns whether the generation increases. Normally a spec change increases it. For a custom resource
 * without a status subresource, any change outside metadata does.
 */
function specChanged(
  { type }: Scope,
  { generationChanged }: Pick<Strategy, "generationChanged">,
  draft: ApiObject,
  old: ApiObject,
): boolean {
  if (generationChanged !== undefined) return generationChanged(draft, old);
  if (type.custom === undefined) return !isDeepStrictEqual(draft.spec, old.spec);
  const content = (object: ApiObject) => {
    const { metadata: _metadata, status, ...rest } = object;
    return type.subresources.includes("status") ? rest : { ...rest, status };
  };
  return !isDeepStrictEqual(content(draft), content(old));
}

/**
 * Stores a final draft. Writes nothing without a change, and deletes the object when its last finalizer was
 * removed. Returns undefined when another request has written since `stored` was read.
 */
export function writeUpdate(
  context: UpdateContext,
  scope: Scope,
  stored: StoredObject,
  draft: ApiObject,
  dryRun: boolean,
): StoredObject | undefined {
  const { strategy } = context.kindOf(scope.type);
  if (context.store.get(scope.collection, stored.key) !== stored) return undefined;
  if (isDeepStrictEqual(withOldTimes(draft, stored.object), stored.object)) return stored;
  if (dryRun) return createStoredObject(stored.key, stored.revision, draft);
  if (deletionIsDue(stored.object, draft) && strategy.heldBack?.(draft) !== true) {
    context.store.delete(scope.collection, stored);
    strategy.afterDelete?.(stored.object, context);
    return createStoredObject(stored.key, stored.revision, draft);
  }
  const updated = context.store.replace(scope.collection, stored, draft);
  if (updated !== undefined) strategy.afterUpdate?.(updated.object, stored.object, context);
  return updated;
}

/** Returns whether a deleted object has neither finalizers nor a grace period left. */
function deletionIsDue(old: ApiObject, draft: ApiObject): boolean {
  if ((draft.metadata.finalizers ?? []).length > 0) return false;
  if (old.metadata.deletionTimestamp === undefined) return false;
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
