import {
  alreadyExists,
  badRequest,
  generateNameConflict,
  invalid,
  unknownError,
} from "../../apimachinery/errors.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { AdmissionAttributes } from "../admission/admission.ts";
import { writeAttributes } from "../admission/attributes.ts";
import type { Admission } from "../admission/chain.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import { decodeBody } from "../registry/decode-body.ts";
import { admitTracked, trackCreate } from "../registry/field-tracking.ts";
import { checkMayBeCreated } from "../registry/lifecycle.ts";
import {
  checkNamespace,
  dropSystemFields,
  fillSystemFields,
  generateName,
  tidyMetadata,
} from "../registry/metadata.ts";
import { parseWriteOptions, type WriteOptions } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { StrategyContext } from "../registry/strategy.ts";
import type { View } from "../registry/view.ts";
import { keyOf, storedGroup } from "../storage/keys.ts";
import { createStoredObject, type StoredObject } from "../storage/stored-object.ts";
import { authorizeResource, resourcePath } from "./authorize.ts";
import { createEncoder } from "./encoder.ts";

const nameAttempts = 8;
const versionSet = "resourceVersion should not be set on objects to be created";

/** The parts of the server that a create uses. */
export interface CreateContext extends StrategyContext {
  readonly admission: Admission;
  readonly authorize: Authorizer;
  readonly uuid: () => string;
}

export async function handleCreate(context: CreateContext, scope: Scope, view: View): Promise<WholeReply> {
  const encoder = createEncoder(context, view, scope.request);
  const options = parseWriteOptions(scope.request.query, "CreateOptions");
  const draft = await decodeBody(context, scope.type, scope.request, options.fieldValidation);
  const created = await createObject(context, scope, view, draft, options);
  await view.ready([created]);
  return bytesReply(201, encoder.object(created));
}

/**
 * Admits, validates and stores a new object. The draft belongs to this function afterwards.
 *
 * @param tracked whether managedFields are final (an apply). Otherwise the request owns the fields that it
 *   sets
 * @throws ApiStatusError 400, 403, 404 (the namespace), 409 or 422
 */
export async function createObject(
  context: CreateContext,
  scope: Scope,
  view: View,
  draft: ApiObject,
  options: WriteOptions,
  tracked = false,
): Promise<StoredObject> {
  const { type } = scope;
  if (draft.metadata.resourceVersion) throw badRequest(versionSet);
  dropSystemFields(draft.metadata);
  checkNamespace(draft, scope);
  if (!tracked) context.kindOf(type).setDefaults(draft);
  checkMayBeCreated(context, scope, draft);
  if (!tracked) trackCreate(context, scope, draft, options);
  const attributes = writeAttributes(scope, "CREATE", draft, undefined, options);
  const mutated = admitTracked(context, attributes);
  if (mutated !== undefined) {
    await mutated;
    // Webhooks cannot set these fields either, although a real server stores some that they write here.
    if (draft.metadata.resourceVersion) throw unknownError(versionSet);
    dropSystemFields(draft.metadata);
    checkNamespace(draft, scope);
  }
  const generated = draft.metadata.generateName !== undefined && !draft.metadata.name;
  for (let attempt = 1; ; attempt++) {
    const object = generated ? structuredClone(draft) : draft;
    if (generated)
      object.metadata.name = generateName(object.metadata.generateName as string, context.random);
    const stored = await tryCreate(context, scope, view, object, attributes, options);
    if (stored !== undefined) return stored;
    const name = object.metadata.name as string;
    if (!generated) throw taken(context, scope, name);
    if (attempt === nameAttempts) throw generateNameConflict(type.group, type.plural, name);
  }
}

/**
 * Does everything after mutating admission. Returns undefined when the name is taken.
 * @param mutated the attributes of mutating admission
 */
async function tryCreate(
  context: CreateContext,
  scope: Scope,
  view: View,
  draft: ApiObject,
  mutated: AdmissionAttributes,
  options: WriteOptions,
): Promise<StoredObject | undefined> {
  const { type } = scope;
  const kind = context.kindOf(type);
  const { strategy } = kind;
  prepare(context, scope, draft);
  const causes = kind.validate(draft, {});
  const name = draft.metadata.name ?? "";
  if (causes.length > 0) throw invalid(storedGroup(type), draft.kind, name, causes);
  for (const text of kind.warnings(draft, undefined)) scope.request.warn(text);
  // A PUT or an apply that creates an object also needs the verb create.
  if (scope.name !== "") authorizeResource(context, scope.request.user, "create", resourcePath(scope));
  const attributes = { ...mutated, object: draft, name };
  const validated = context.admission.validate(attributes);
  if (validated !== undefined) {
    await validated;
    strategy.afterWaiting?.(draft, undefined, context);
  }
  const key = keyOf(draft.metadata.namespace ?? "", name);
  const stored = view.toStorage(draft);
  const object = stored instanceof Promise ? await stored : stored;
  // Admission may have waited. From here to the write nothing waits.
  checkMayBeCreated(context, scope, draft);
  const charge = context.admission.charge(attributes);
  if (context.store.get(scope.collection, key) !== undefined) return undefined;
  if (options.dryRun) return unstored(key, object);
  charge?.();
  const created = context.store.create(scope.collection, key, object);
  if (created !== undefined) strategy.afterCreate?.(created.object, context);
  return created;
}

/** Sets the fields that the server assigns to a new object. */
function prepare(context: CreateContext, scope: Scope, draft: ApiObject): void {
  const { type } = scope;
  const { strategy } = context.kindOf(type);
  fillSystemFields(context, draft.metadata);
  if (strategy.generation) draft.metadata.generation = 1;
  if (type.subresources.includes("status") && !strategy.keepsStatusOnCreate) {
    const status = strategy.initialStatus?.(draft) ?? (type.custom === undefined ? {} : undefined);
    if (status === undefined) delete draft.status;
    else draft.status = status;
  }
  strategy.prepareForCreate?.(draft, context, scope);
  tidyMetadata(draft.metadata);
}

/** Returns the object for a dry run: like a stored one, but without a resourceVersion. */
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

function taken(context: CreateContext, scope: Scope, name: string) {
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
