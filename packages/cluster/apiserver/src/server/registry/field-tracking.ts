import {
  type FieldManagerRequest,
  managedFieldsOfUpdate,
} from "../../apimachinery/managed-fields/field-manager.ts";
import { managerFromUserAgent } from "../../apimachinery/managed-fields/manager-name.ts";
import {
  decodeManagers,
  type ManagedFieldsEntry,
  ManagedFieldsError,
} from "../../apimachinery/managed-fields/managers.ts";
import { emptyObject, objectType } from "../../apimachinery/managed-fields/object-type.ts";
import { type Clock, timestamp } from "../../lib/clock.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { PathElementError } from "../../lib/structured-merge-diff/path-element.ts";
import { deducedType, type FieldType } from "../../lib/structured-merge-diff/typed-schema.ts";
import {
  type Convert,
  equalValues,
  type TypedObject,
  TypedValueError,
} from "../../lib/structured-merge-diff/typed-value.ts";
import type { AdmissionAttributes } from "../admission/admission.ts";
import type { Admission } from "../admission/chain.ts";
import type { TypeRegistry } from "../types/registry.ts";
import { groupVersion, type ResourceType } from "../types/resource-type.ts";
import type { WriteOptions } from "./options.ts";
import { resetFieldsOf } from "./reset-fields.ts";
import type { Scope } from "./scope.ts";
import type { KindLookup } from "./strategy.ts";

interface TypingContext {
  readonly registry: Pick<TypeRegistry, "schema" | "resources">;
  readonly kindOf: KindLookup;
}

/** The parts of the server that field tracking uses. */
export interface TrackingContext extends TypingContext {
  readonly clock: Clock;
}

interface Typing {
  type: FieldType;
  apiVersion: string;
  empty: TypedObject;
  convert: Convert;
}

const typings = new WeakMap<ResourceType, Typing>();

/** Returns the typing of a kind, cached for each version of a kind. */
export function typingOf(context: TypingContext, type: ResourceType): Typing {
  let typing = typings.get(type);
  if (typing === undefined) {
    const { group, version, kind } = type;
    const schema = context.registry.schema(group, version, kind);
    const apiVersion = groupVersion(type);
    const fields = schema === undefined ? deducedType : objectType(schema);
    const value: JsonObject =
      type.custom === undefined && schema !== undefined
        ? { ...emptyObject(schema), apiVersion, kind }
        : { apiVersion, kind };
    // The defaults contain Go's zero value of an event.
    if (kind === "Event") context.kindOf(type).setDefaults(value as ApiObject);
    const empty = { value, type: fields, apiVersion };
    typing = { type: fields, apiVersion, empty, convert: converter(context, type) };
    typings.set(type, typing);
  }
  return typing;
}

/**
 * Returns a function that converts an object to another version of its group. Versions of a custom kind differ only
 * in their names here. Like in Go, an Event's managers of the other group are dropped.
 */
function converter(context: TypingContext, type: ResourceType): Convert {
  return (object, apiVersion) => {
    if (object.apiVersion === apiVersion) return object;
    const other = context.registry
      .resources()
      .find(
        ({ group, version, kind }) =>
          group === type.group && kind === type.kind && groupVersion({ group, version }) === apiVersion,
      );
    if (other === undefined) return undefined;
    const { type: fields } = typingOf(context, other);
    const value = context.kindOf(other).inVersion(object.value as ApiObject, apiVersion);
    return { value, type: fields, apiVersion };
  };
}

/** Returns the request for the field manager. */
export function fieldManagerRequest(
  context: TrackingContext,
  { type, subresource, request }: Pick<Scope, "type" | "subresource"> & Partial<Pick<Scope, "request">>,
  options: WriteOptions,
): FieldManagerRequest {
  return {
    manager: options.fieldManager || managerFromUserAgent(request?.headers["user-agent"] ?? ""),
    subresource,
    now: timestamp(context.clock.now()),
    convert: typingOf(context, type).convert,
    resetFields: resetFieldsOf(type, subresource, context.kindOf(type).statusResets),
  };
}

/** Sets metadata.managedFields of a new object. */
export function trackCreate(
  context: TrackingContext,
  scope: Scope,
  draft: ApiObject,
  options: WriteOptions,
): void {
  const { empty, type, apiVersion } = typingOf(context, scope.type);
  const request = fieldManagerRequest(context, scope, options);
  track(draft, () => managedFieldsOfUpdate(empty, { value: draft, type, apiVersion }, false, request));
}

/** Sets metadata.managedFields of an updated object. */
export function trackUpdate(
  context: TrackingContext,
  scope: Scope,
  draft: ApiObject,
  old: ApiObject,
  options: WriteOptions,
): void {
  const { type, apiVersion } = typingOf(context, scope.type);
  const request = fieldManagerRequest(context, scope, options);
  const live = { value: old, type, apiVersion };
  track(draft, () => managedFieldsOfUpdate(live, { value: draft, type, apiVersion }, true, request));
}

/** Sets the managedFields. An object that does not fit its type gets none, and validation reports why. */
function track(draft: ApiObject, owners: () => readonly ManagedFieldsEntry[] | undefined): void {
  let managedFields: readonly ManagedFieldsEntry[] | undefined;
  try {
    managedFields = owners();
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
  }
  setManagedFields(draft, managedFields);
}

export function setManagedFields(
  draft: ApiObject,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): void {
  if (managedFields === undefined) delete draft.metadata.managedFields;
  else draft.metadata.managedFields = managedFields as ManagedFieldsEntry[];
}

/**
 * Restores the old managedFields if the new ones differ only in times, so that the update writes nothing
 * (IgnoreManagedFieldsTimestampsTransformer).
 */
export function withOldTimes(draft: ApiObject, old: ApiObject): ApiObject {
  const before = old.metadata.managedFields;
  const after = draft.metadata.managedFields;
  if (!Array.isArray(before) || !Array.isArray(after) || before === after) return draft;
  const same =
    before.length === after.length && after.every((entry, index) => sameButTime(entry, before[index]));
  return same ? { ...draft, metadata: { ...draft.metadata, managedFields: before } } : draft;
}

function sameButTime(a: unknown, b: unknown): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = ["manager", "operation", "apiVersion", "subresource"];
  return equalValues(a.fieldsV1, b.fieldsV1) && names.every((name) => a[name] === b[name]);
}

/**
 * Runs mutating admission. If a plugin makes managedFields invalid, restores them and warns
 * (managedFieldsValidatingAdmissionController).
 */
export function admitTracked(
  { admission }: { readonly admission: Admission },
  attributes: AdmissionAttributes,
): Promise<void> | undefined {
  const before = attributes.object?.metadata.managedFields;
  const mutated = admission.mutate(attributes);
  if (mutated === undefined) checkTracked(attributes, before);
  return mutated?.then(() => checkTracked(attributes, before));
}

function checkTracked({ object, request }: AdmissionAttributes, before: JsonValue | undefined): void {
  if (object === undefined || object.metadata.managedFields === before) return;
  try {
    decodeManagers(object.metadata.managedFields);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError) && !(error instanceof PathElementError)) throw error;
    if (before === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = before;
    request.warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
  }
}
