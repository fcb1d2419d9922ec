import { isDeepStrictEqual } from "node:util";
import { conflict, invalid, notFound } from "../errors.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import type { ApiObject } from "../json.ts";
import { createStoredObject, type StoredObject } from "../store/stored-object.ts";
import { type ApiContext, keyOf, type Scope } from "./context.ts";
import { createObject } from "./create.ts";
import { createEncoder } from "./encoder.ts";
import { find } from "./get.ts";
import { strategyOf } from "./kinds/strategies.ts";
import { checkName, checkNamespace, keepSystemFields, tidyMetadata } from "./metadata.ts";
import { parseWriteOptions } from "./options.ts";
import { applyTypeDefaults, decodeBody, validate } from "./semantics.ts";
import type { View } from "./view.ts";

export async function handleUpdate(context: ApiContext, scope: Scope, view: View): Promise<WholeReply> {
  const { type, request } = scope;
  const encoder = createEncoder(context, view, request);
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, "UpdateOptions");
  const draft = await decodeBody(context, type, request, fieldValidation);
  checkNamespace(draft, scope);
  checkName(draft, scope.name);
  applyTypeDefaults(context, draft, type);
  const mayCreate = strategyOf(type).createOnUpdate === true && scope.subresource === "";
  const key = keyOf(type.namespaced ? scope.namespace : "", scope.name);
  if (mayCreate && context.store.get(scope.collection, key) === undefined) {
    if (draft.metadata.uid) throw uidMismatch(scope, draft.metadata.uid, "");
    const created = await createObject(context, scope, view, draft, dryRun);
    return bytesReply(201, encoder.object(created));
  }
  const updated = updateObject(context, scope, view, () => draft, dryRun);
  return bytesReply(200, encoder.object(updated));
}

/**
 * Replaces an object by what `transform` makes of it. The draft's resourceVersion, where it has one, must be that of the
 * stored object. The whole is one step: nobody else writes in between.
 *
 * @param transform gets the stored object (frozen), as the request's version shows it; returns a draft of its own
 * @throws ApiStatusError 404, 409, 422
 */
export function updateObject(
  context: ApiContext,
  scope: Scope,
  view: View,
  transform: (old: ApiObject) => ApiObject,
  dryRun: boolean,
): StoredObject {
  const { type } = scope;
  const stored = find(context, scope);
  const old = view.object(stored);
  const draft = transform(old);
  checkPreconditions(scope, draft, old);
  keepSystemFields(draft.metadata, old.metadata);
  prepare(context, scope, draft, old);
  tidyMetadata(draft.metadata);
  const causes = validate(context, draft, type, { old, subresource: scope.subresource });
  if (causes.length > 0) throw invalid(type.group, draft.kind, scope.name, causes);
  return writeUpdate(context, scope, stored, view.toStorage(draft), dryRun);
}

function checkPreconditions(scope: Scope, draft: ApiObject, old: ApiObject): void {
  const { type, name } = scope;
  const { uid, resourceVersion } = draft.metadata;
  const isAnother = uid !== undefined && uid !== "" && uid !== old.metadata.uid;
  // Only a PUT states the whole object, and with it which one is meant.
  if (isAnother && scope.request.method === "PUT") throw uidMismatch(scope, uid, old.metadata.uid ?? "");
  checkResourceVersion(scope, resourceVersion, old);
  if (isAnother) {
    const message = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
    throw invalid(type.group, type.kind, name, [
      { reason: "FieldValueInvalid", message, field: "metadata.uid" },
    ]);
  }
}

function checkResourceVersion(scope: Scope, resourceVersion: string | undefined, old: ApiObject): void {
  const { type, name } = scope;
  if (resourceVersion === undefined || resourceVersion === "" || resourceVersion === "0") {
    if (strategyOf(type).unconditionalUpdate !== false) return;
    throw invalid(type.group, type.plural, name, [
      {
        reason: "FieldValueInvalid",
        message: "Invalid value: 0: must be specified for an update",
        field: "metadata.resourceVersion",
      },
    ]);
  }
  if (resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(
      type.group,
      type.plural,
      name,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
}

/** The words come from the storage layer of a real server, keys of its etcd included. */
function uidMismatch({ type, namespace, name }: Scope, stated: string, actual: string) {
  const path = [type.custom === undefined ? [] : [type.group], type.plural, namespace || [], name].flat();
  const why = `Precondition failed: UID in precondition: ${stated}, UID in object meta: ${actual}`;
  return conflict(
    type.group,
    type.plural,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${path.join("/")}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

/** Keeps apart what belongs to the object and what to its status, and counts generations. */
function prepare(context: ApiContext, scope: Scope, draft: ApiObject, old: ApiObject): void {
  const { type, subresource } = scope;
  const strategy = strategyOf(type);
  if (type.subresources.includes("status")) {
    if (subresource === "status") keepAllButStatus(draft, old, type.custom !== undefined);
    else keepStatus(draft, old);
  }
  strategy.prepareForUpdate?.(draft, old, context, subresource);
  if (strategy.generation && subresource !== "status" && specChanged(scope, draft, old)) {
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
  if (custom) draft.metadata = { ...old.metadata };
}

/** Custom resources without a status subresource count every change but of metadata, all others that of the spec. */
function specChanged({ type }: Scope, draft: ApiObject, old: ApiObject): boolean {
  const { generationChanged } = strategyOf(type);
  if (generationChanged !== undefined) return generationChanged(draft, old);
  if (type.custom === undefined) return !isDeepStrictEqual(draft.spec, old.spec);
  const content = (object: ApiObject) => {
    const { metadata: _metadata, status, ...rest } = object;
    return type.subresources.includes("status") ? rest : { ...rest, status };
  };
  return !isDeepStrictEqual(content(draft), content(old));
}

/** Stores a draft that is final. Writes nothing when it changes nothing; deletes when it was the last finalizer's. */
export function writeUpdate(
  context: ApiContext,
  scope: Scope,
  stored: StoredObject,
  draft: ApiObject,
  dryRun: boolean,
): StoredObject {
  const strategy = strategyOf(scope.type);
  if (isDeepStrictEqual(draft, stored.object)) return stored;
  if (dryRun) return createStoredObject(stored.key, stored.revision, draft);
  if (deletionIsDue(stored.object, draft) && strategy.heldBack?.(draft) !== true) {
    context.store.delete(scope.collection, stored);
    strategy.afterDelete?.(stored.object, context);
    return createStoredObject(stored.key, stored.revision, draft);
  }
  const updated = context.store.replace(scope.collection, stored, draft);
  if (updated === undefined) throw notFound(scope.type.group, scope.type.plural, scope.name);
  strategy.afterUpdate?.(updated.object, stored.object, context);
  return updated;
}

/** The last finalizer of an object that was deleted is gone, and no grace period is left. */
function deletionIsDue(old: ApiObject, draft: ApiObject): boolean {
  if ((draft.metadata.finalizers ?? []).length > 0) return false;
  if (old.metadata.deletionTimestamp === undefined) return false;
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
