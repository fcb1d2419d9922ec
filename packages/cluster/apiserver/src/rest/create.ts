import { alreadyExists, badRequest, forbidden, generateNameConflict, invalid, notFound } from "../errors.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import type { ApiObject } from "../json.ts";
import { createStoredObject, type StoredObject } from "../store/stored-object.ts";
import { type ApiContext, keyOf, type Scope } from "./context.ts";
import { createEncoder } from "./encoder.ts";
import { strategyOf } from "./kinds/strategies.ts";
import {
  checkNamespace,
  dropSystemFields,
  fillSystemFields,
  generateName,
  tidyMetadata,
} from "./metadata.ts";
import { parseWriteOptions } from "./options.ts";
import { applyTypeDefaults, decodeBody, validate } from "./semantics.ts";
import type { View } from "./view.ts";

const nameAttempts = 8;

export async function handleCreate(context: ApiContext, scope: Scope, view: View): Promise<WholeReply> {
  const encoder = createEncoder(context, view, scope.request);
  const { dryRun, fieldValidation } = parseWriteOptions(scope.request.query, "CreateOptions");
  const draft = await decodeBody(context, scope.type, scope.request, fieldValidation);
  const created = await createObject(context, scope, view, draft, dryRun);
  return bytesReply(201, encoder.object(created));
}

/**
 * Admits, validates and stores a new object. The draft is the caller's to give away.
 * @throws ApiStatusError 400, 403, 404 (its namespace), 409, 422
 */
export async function createObject(
  context: ApiContext,
  scope: Scope,
  view: View,
  draft: ApiObject,
  dryRun: boolean,
): Promise<StoredObject> {
  const { type } = scope;
  if (draft.metadata.resourceVersion !== undefined && draft.metadata.resourceVersion !== "") {
    throw badRequest("resourceVersion should not be set on objects to be created");
  }
  dropSystemFields(draft.metadata);
  checkNamespace(draft, scope);
  const generated = draft.metadata.generateName !== undefined && !draft.metadata.name;
  for (let attempt = 1; ; attempt++) {
    const object = generated ? structuredClone(draft) : draft;
    if (generated)
      object.metadata.name = generateName(object.metadata.generateName as string, context.random);
    const stored = await tryCreate(context, scope, view, object, dryRun);
    if (stored !== undefined) return stored;
    const name = object.metadata.name as string;
    if (!generated) throw taken(context, scope, name);
    if (attempt === nameAttempts) throw generateNameConflict(type.group, type.plural, name);
  }
}

/** undefined: the name is taken. */
async function tryCreate(
  context: ApiContext,
  scope: Scope,
  view: View,
  draft: ApiObject,
  dryRun: boolean,
): Promise<StoredObject | undefined> {
  const { type } = scope;
  const strategy = strategyOf(type);
  applyTypeDefaults(context, draft, type);
  checkNamespaceIsOpen(context, scope, draft);
  fillSystemFields(context, draft.metadata);
  if (strategy.generation) draft.metadata.generation = 1;
  if (type.subresources.includes("status") && !strategy.keepsStatusOnCreate) {
    const status = strategy.initialStatus?.(draft) ?? (type.custom === undefined ? {} : undefined);
    if (status === undefined) delete draft.status;
    else draft.status = status;
  }
  await strategy.prepareForCreate?.(draft, context, scope);
  tidyMetadata(draft.metadata);
  const causes = validate(context, draft, type, {});
  const name = draft.metadata.name ?? "";
  if (causes.length > 0) throw invalid(type.group, draft.kind, name, causes);
  const key = keyOf(draft.metadata.namespace ?? "", name);
  const object = view.toStorage(draft);
  if (dryRun) {
    if (context.store.get(scope.collection, key) !== undefined) return undefined;
    return unstored(key, object);
  }
  // Admission may have waited: the namespace may be gone by now.
  checkNamespaceIsOpen(context, scope, draft);
  const created = context.store.create(scope.collection, key, object);
  if (created !== undefined) strategy.afterCreate?.(created.object, context);
  return created;
}

/** An object that looks stored, but has no resourceVersion: the answer to a dry run. */
function unstored(key: string, object: ApiObject): StoredObject {
  const stored = createStoredObject(key, 0, object);
  const { resourceVersion: _none, ...metadata } = stored.object.metadata;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = stored.object;
  return {
    ...stored,
    object: { ...stored.object, metadata },
    body: () => Buffer.from(JSON.stringify({ metadata, ...rest }).slice(1, -1)),
  };
}

function taken(context: ApiContext, scope: Scope, name: string) {
  const error = alreadyExists(scope.type.group, scope.type.plural, name);
  const existing = context.store.get(
    scope.collection,
    keyOf(scope.type.namespaced ? scope.namespace : "", name),
  );
  if (existing?.object.metadata.deletionTimestamp !== undefined) {
    error.status.message = `object is being deleted: ${error.status.message}`;
  }
  return error;
}

/** Nothing is created in a namespace that does not exist, or is going (admission plugin NamespaceLifecycle). */
function checkNamespaceIsOpen(context: ApiContext, scope: Scope, object: ApiObject): void {
  const { type, namespace } = scope;
  if (!type.namespaced) return;
  const found = context.store.get("namespaces", namespace);
  if (found === undefined) throw notFound("", "namespaces", namespace);
  if (found.object.metadata.deletionTimestamp === undefined) return;
  const error = forbidden(
    type.group,
    type.plural,
    object.metadata.name ?? "",
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  error.status.details = { ...error.status.details, causes: [cause] };
  throw error;
}
