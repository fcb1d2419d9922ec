import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { ApplyConflictError } from "../../lib/structured-merge-diff/conflicts.ts";
import {
  difference,
  type FieldSet,
  fieldSetOf,
  hasPath,
  isEmptySet,
} from "../../lib/structured-merge-diff/field-set.ts";
import {
  type ManagerInfo,
  type Managers,
  managerIdentifier,
  withEntry,
} from "../../lib/structured-merge-diff/managers.ts";
import { fieldElement, PathElementError } from "../../lib/structured-merge-diff/path-element.ts";
import { equalValues, type TypedObject } from "../../lib/structured-merge-diff/typed-value.ts";
import {
  addToEntry,
  applyConfiguration,
  type UpdaterOptions,
  updateOwners,
} from "../../lib/structured-merge-diff/updater.ts";
import { capUpdateManagers } from "./cap-managers.ts";
import { fieldsOfCreate } from "./created-fields.ts";
import { fieldsOfLastApplied, updateLastApplied } from "./last-applied.ts";
import { decodeManagers, encodeManagers, type ManagedFieldsEntry, ManagedFieldsError } from "./managers.ts";

/** The parts of a write that field ownership depends on. */
export interface FieldManagerRequest extends UpdaterOptions {
  /** Name of the manager: the request's fieldManager, or from its user agent. */
  manager: string;
  subresource: string;
  /** RFC 3339, in whole seconds. */
  now: string;
}

const path = (...names: string[]) => names.map(fieldElement);

/** Fields that no manager owns. */
const stripped = fieldSetOf(
  path("apiVersion"),
  path("kind"),
  path("metadata"),
  path("metadata", "name"),
  path("metadata", "namespace"),
  path("metadata", "creationTimestamp"),
  path("metadata", "selfLink"),
  path("metadata", "uid"),
  path("metadata", "clusterName"),
  path("metadata", "generation"),
  path("metadata", "managedFields"),
  path("metadata", "resourceVersion"),
);

/**
 * Returns metadata.managedFields after a create, update or patch (FieldManager.Update of
 * k8s.io/apimachinery/pkg/util/managedfields). Returns undefined if no owner is known.
 *
 * @param live the object before, or for a create an empty one of its kind
 * @param next the object after, with the managedFields of the client
 * @param exists false for a create
 * @throws TypedValueError
 */
export function managedFieldsOfUpdate(
  live: TypedObject,
  next: TypedObject,
  exists: boolean,
  request: FieldManagerRequest,
): readonly ManagedFieldsEntry[] | undefined {
  const given = managersOfUpdate(live.value, next.value, request.subresource !== "");
  // Fields without an owner were written before fields were tracked, so their owner is unknown.
  if (given.size === 0 && exists) return undefined;
  if (given.size === 0) return managedFieldsOfCreate(live, withoutManagedFields(next), request);
  const managers = ownersOfUpdate(withoutManagedFields(live), withoutManagedFields(next), given, request);
  return encode(managers, live.value);
}

function managedFieldsOfCreate(
  empty: TypedObject,
  object: TypedObject,
  request: FieldManagerRequest,
): readonly ManagedFieldsEntry[] | undefined {
  const own = fieldsOfCreate(empty, object, request.resetFields, stripped);
  if (isEmptySet(own)) return undefined;
  const info = infoOf(request, "Update", object.apiVersion);
  const by = `${request.now} ${info.apiVersion} ${info.manager}`;
  const last = lastCreated.get(own);
  if (last?.by === by) return last.list;
  const list = encodeManagers(addToEntry(new Map(), info, own, request.now));
  if (list !== undefined) lastCreated.set(own, { by, list });
  return list;
}

/** Objects that one manager creates alike in the same second share their managedFields. */
const lastCreated = new WeakMap<FieldSet, { by: string; list: readonly ManagedFieldsEntry[] }>();

/**
 * Returns the encoded managers. Returns those of the live object if they are equal, without encoding them
 * again.
 */
function encode(managers: Managers, live: JsonObject): readonly ManagedFieldsEntry[] | undefined {
  const before = managedFieldsOf(live);
  if (Array.isArray(before) && decodeOrEmpty(before) === managers) return before as ManagedFieldsEntry[];
  return encodeManagers(managers);
}

function ownersOfUpdate(
  live: TypedObject,
  next: TypedObject,
  given: Managers,
  request: FieldManagerRequest,
): Managers {
  const { managers, self } = updateOwners(live, next, given, request);
  const own = difference(self, stripped);
  if (isEmptySet(own)) return capUpdateManagers(managers);
  return capUpdateManagers(
    addToEntry(managers, infoOf(request, "Update", next.apiVersion), own, request.now),
  );
}

/** The result of an apply. */
export interface Applied {
  /** Without defaults and managedFields. Undefined if at most the managers change. */
  value: JsonObject | undefined;
  managedFields: readonly ManagedFieldsEntry[] | undefined;
}

/**
 * Applies a configuration (FieldManager.Apply of k8s.io/apimachinery/pkg/util/managedfields).
 *
 * @param live the object before, or an empty one of its kind
 * @param empty an empty object of the kind
 * @param applied the configuration, which must fit its type
 * @throws ApplyConflictError, TypedValueError
 */
export function applyFields(
  live: TypedObject,
  empty: TypedObject,
  applied: TypedObject,
  force: boolean,
  request: FieldManagerRequest,
): Applied {
  const known = decodeManagers(managedFieldsOf(live.value));
  const object = withoutManagedFields(live);
  const before =
    known.size > 0
      ? known
      : // No manager is known: the existing fields belong to a manager "before-first-apply".
        ownersOfUpdate(empty, object, known, { ...request, manager: "before-first-apply" });
  const apply = (forced: boolean) => {
    const info = infoOf(request, "Apply", applied.apiVersion);
    const { value, managers } = applyConfiguration(object, applied, before, info, forced, request);
    return { value, managers: withoutStripped(managers, info) };
  };
  let result: { value: JsonObject; managers: Managers };
  try {
    result = apply(force);
  } catch (error) {
    if (!(error instanceof ApplyConflictError) || request.manager !== "kubectl") throw error;
    result = takeOver(error, object, apply);
  }
  return finish(object, applied, result, request);
}

/** Retries with force for conflicts about fields of kubectl's own client-side apply. */
function takeOver<T>(error: ApplyConflictError, live: TypedObject, apply: (forced: boolean) => T): T {
  const allowed = fieldsOfLastApplied(live);
  if (allowed === undefined) throw error;
  const left = error.conflicts.filter((conflict) => !hasPath(allowed, conflict.path));
  if (left.length > 0) throw new ApplyConflictError(left);
  return apply(true);
}

function finish(
  live: TypedObject,
  applied: TypedObject,
  { value, managers }: { value: JsonObject; managers: Managers },
  request: FieldManagerRequest,
): Applied {
  const changed = !equalValues(value, live.value);
  const kubectl = request.manager === "kubectl";
  const object = kubectl ? updateLastApplied(value, applied.value) : value;
  const identifier = managerIdentifier(infoOf(request, "Apply", applied.apiVersion));
  const own = managers.get(identifier);
  // The time says when an apply last changed the object.
  const timed =
    changed && own !== undefined ? withEntry(managers, identifier, { ...own, time: request.now }) : managers;
  return {
    value: changed || object !== value ? object : undefined,
    managedFields: encodeManagers(timed),
  };
}

function infoOf(
  request: FieldManagerRequest,
  operation: "Apply" | "Update",
  apiVersion: string,
): ManagerInfo {
  const { manager, subresource } = request;
  return { manager: manager === "" ? "unknown" : manager, operation, apiVersion, subresource };
}

function withoutStripped(managers: Managers, info: ManagerInfo): Managers {
  const identifier = managerIdentifier(info);
  const entry = managers.get(identifier);
  return entry === undefined
    ? managers
    : withEntry(managers, identifier, { ...entry, set: difference(entry.set, stripped) });
}

/**
 * Returns the managers before an update: those that the client sent, if they are valid; none if it resets
 * them; else the live ones.
 */
function managersOfUpdate(live: JsonObject, next: JsonObject, subresource: boolean): Managers {
  const before = managedFieldsOf(live);
  const sent = managedFieldsOf(next);
  if (subresource || sent === before || sent === undefined || sent === null) return decodeOrEmpty(before);
  if (isReset(sent)) return new Map();
  try {
    const managers = decodeManagers(sent);
    if (managers.size > 0) return managers;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return decodeOrEmpty(before);
}

/** Returns whether the client resets the managers, with an empty list or a list of one empty entry. */
function isReset(sent: JsonValue): boolean {
  if (!Array.isArray(sent)) return false;
  return (
    sent.length === 0 || (sent.length === 1 && isJsonObject(sent[0]) && Object.keys(sent[0]).length === 0)
  );
}

/** Decodes a list of managers. Returns an empty map if it is invalid. */
export function decodeOrEmpty(list: JsonValue | undefined): Managers {
  try {
    return decodeManagers(list);
  } catch (error) {
    if (isUnreadable(error)) return new Map();
    throw error;
  }
}

/** Returns whether an error is about managedFields that a client may have written. */
function isUnreadable(error: unknown): boolean {
  return error instanceof ManagedFieldsError || error instanceof PathElementError;
}

function managedFieldsOf(object: JsonObject): JsonValue | undefined {
  return isJsonObject(object.metadata) ? object.metadata.managedFields : undefined;
}

function withoutManagedFields(object: TypedObject): TypedObject {
  const { metadata } = object.value;
  if (!isJsonObject(metadata) || metadata.managedFields === undefined) return object;
  const { managedFields: _managed, ...rest } = metadata;
  return { ...object, value: { ...object.value, metadata: rest } };
}
