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
import { keyOf } from "../storage/keys.ts";
import { createStoredObject, type StoredObject } from "../storage/stored-object.ts";
import { type CreateContext, createObject } from "./create.ts";
import { createEncoder } from "./encoder.ts";
import { find } from "./get.ts";

/** What an update uses of the server. */
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

/** A subresource with a kind of its own, through which an object is changed: Scale. */
export interface SeenByAdmission {
  subresource: string;
  show(object: ApiObject): ApiObject;
  /** Does to the draft what plugins have done to what they were shown. */
  take(shown: ApiObject, draft: ApiObject): void;
}

/** Makes a draft of its own of the stored object, which is frozen and shown in the request's version. */
export type Transform = (old: ApiObject) => ApiObject | Promise<ApiObject>;

/**
 * Replaces an object by what `transform` makes of it. The draft's resourceVersion, where it has one, must be that of the
 * stored object. Somebody else may write while admission waits: then the whole is done again with what they wrote
 * (GuaranteedUpdate of k8s.io/apiserver).
 *
 * @param tracked the draft's managedFields say already who owns what; else the request owns what it changes
 * @param seen what admission is shown instead of the object
 * @throws ApiStatusError 403, 404, 409, 422
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
    if (causes.length > 0) throw invalid(type.group, draft.kind, draft.metadata.name ?? "", causes);
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
    // From here on nobody waits any more.
    const charge = context.admission.charge(attributes);
    if (!options.dryRun) charge?.();
    const written = writeUpdate(context, scope, stored, storage, options.dryRun);
    if (written !== undefined) return written;
  }
}

/** Keeps apart what belongs to the object and what to its status, and counts generations. */
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
  // A custom resource's metadata is not touched either. Kubelets set labels and annotations with the status.
  if (custom) {
    const { managedFields } = draft.metadata;
    draft.metadata = { ...old.metadata, ...(managedFields === undefined ? {} : { managedFields }) };
  }
}

/** Custom resources without a status subresource count every change but of metadata, all others that of the spec. */
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
 * Stores a draft that is final. Writes nothing when it changes nothing; deletes when it was the last finalizer's.
 * @returns undefined when somebody else has written since `stored` was read
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

/** The last finalizer of an object that was deleted is gone, and no grace period is left. */
function deletionIsDue(old: ApiObject, draft: ApiObject): boolean {
  if ((draft.metadata.finalizers ?? []).length > 0) return false;
  if (old.metadata.deletionTimestamp === undefined) return false;
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
