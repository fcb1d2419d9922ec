import { ApiStatusError, badRequest, conflict } from "../../apimachinery/errors.ts";
import { conflictStatus } from "../../apimachinery/managed-fields/conflict-status.ts";
import { applyFields } from "../../apimachinery/managed-fields/field-manager.ts";
import type { ManagedFieldsEntry } from "../../apimachinery/managed-fields/managers.ts";
import { defaultMembers } from "../../apimachinery/schema/default.ts";
import { checkFieldValidation, conformTo } from "../../apimachinery/serializer/decode.ts";
import { jsonKind } from "../../apimachinery/serializer/go-type.ts";
import { warningsFor } from "../../apimachinery/serializer/warnings.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { JsonSyntaxError, parseJson } from "../../lib/json/parse-json.ts";
import { ApplyConflictError } from "../../lib/structured-merge-diff/conflicts.ts";
import { type TypedObject, TypedValueError } from "../../lib/structured-merge-diff/typed-value.ts";
import { validateTyped } from "../../lib/structured-merge-diff/validate-typed.ts";
import { parseYaml, YamlSyntaxError } from "../../lib/yaml/parse-yaml.ts";
import { bytesReply, type WholeReply } from "../http/reply.ts";
import { type BodyKind, decodeTarget, type SchemaContext } from "../registry/decode-body.ts";
import {
  fieldManagerRequest,
  setManagedFields,
  type TrackingContext,
  typingOf,
} from "../registry/field-tracking.ts";
import { checkName, checkNamespace } from "../registry/metadata.ts";
import type { PatchOptions } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { View } from "../registry/view.ts";
import { keyOf } from "../storage/keys.ts";
import { groupVersion, type ResourceType } from "../types/resource-type.ts";
import { type CreateContext, createObject } from "./create.ts";
import { createEncoder } from "./encoder.ts";
import { updateObject } from "./update.ts";

/** The parts of the server that an apply to an object uses. */
type ApplyContext = TrackingContext & SchemaContext;

/** Handles a server-side apply (PATCH with application/apply-patch+yaml). Creates a missing object. */
export async function handleApply(
  context: CreateContext,
  scope: Scope,
  view: View,
  options: PatchOptions,
): Promise<WholeReply> {
  const { type } = scope;
  const encoder = createEncoder(context, view, scope.request);
  const configuration = await readConfiguration(scope, options);
  const typing = typingOf(context, type);
  const apply = (live: TypedObject) => {
    const draft = applyTo(context, scope, type, live, typing.empty, configuration, options);
    checkNamespace(draft, scope);
    checkName(draft, scope.name);
    return draft;
  };
  const key = keyOf(type.namespaced ? scope.namespace : "", scope.name);
  while (scope.subresource === "" && context.store.get(scope.collection, key) === undefined) {
    const draft = apply(typing.empty);
    const { uid } = draft.metadata;
    if (uid) throw uidOfNobody(scope, uid);
    delete draft.metadata.resourceVersion;
    try {
      const created = await createObject(context, scope, view, draft, options, true);
      await view.ready([created]);
      return bytesReply(201, encoder.object(created));
    } catch (error) {
      // Another request has created the object, so it can be updated.
      if (!(error instanceof ApiStatusError) || error.status.reason !== "AlreadyExists") throw error;
      if (context.store.get(scope.collection, key) === undefined) throw error;
    }
  }
  const transform = (old: ApiObject) => apply({ ...typing.empty, value: old });
  const updated = await updateObject(context, scope, view, transform, options, true);
  await view.ready([updated]);
  return bytesReply(200, encoder.object(updated));
}

function uidOfNobody({ type, name }: Scope, uid: string) {
  return conflict(
    type.group,
    type.plural,
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}

/** The applied configuration, and messages about its duplicate keys. */
export interface Configuration {
  object: JsonObject;
  duplicates: string[];
}

/** Reads the configuration from the body. @throws ApiStatusError 400 */
export async function readConfiguration({ request }: Scope, options: PatchOptions): Promise<Configuration> {
  checkFieldValidation(options.fieldValidation, "PatchOptions");
  const text = new TextDecoder().decode(await request.body());
  const { value, duplicates } = parseConfiguration(text);
  if (!isJsonObject(value) && value !== null) {
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
    );
  }
  return { object: value ?? {}, duplicates };
}

/** Reports duplicate keys of a valid configuration. @throws ApiStatusError 400 when validation is strict */
function reportDuplicates({ request }: Scope, duplicates: string[], { fieldValidation }: PatchOptions): void {
  if (duplicates.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Strict") {
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join("\n  ")}`,
    );
  }
  for (const duplicate of duplicates) request.warn(duplicate);
}

function parseConfiguration(text: string): { value: JsonValue; duplicates: string[] } {
  try {
    // Most configurations are JSON, a subset of YAML that is faster to parse.
    if (text.startsWith("{")) {
      const { value, duplicates } = parseJson(text);
      if (!hasDuplicates(value, duplicates)) return { value, duplicates: [] };
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

function hasDuplicates(value: JsonValue | undefined, duplicates: WeakMap<object, string[]>): boolean {
  if (typeof value !== "object" || value === null) return false;
  return duplicates.has(value) || Object.values(value).some((member) => hasDuplicates(member, duplicates));
}

/**
 * Applies a configuration to a live object.
 *
 * @param kind of the configuration: the scope's own, or that of a subresource (Scale)
 * @returns a draft with defaults and final managedFields
 * @throws ApiStatusError 400 or 409
 */
export function applyTo(
  context: ApplyContext,
  scope: Scope,
  kind: BodyKind | ResourceType,
  live: TypedObject,
  empty: TypedObject,
  { object, duplicates }: Configuration,
  options: PatchOptions,
): ApiObject {
  checkConfiguration(object, kind);
  const applied = { ...live, value: object };
  const named = nameOf(object, kind);
  try {
    validateTyped(object, live.type);
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw badRequest(`failed to create typed patch object (${named}): ${error.message}`);
  }
  const request = fieldManagerRequest(context, scope, options);
  try {
    const { value, managedFields } = applyFields(live, empty, applied, options.force, request);
    const draft = finish(context, kind, live, value, managedFields, options, named);
    if (value !== undefined) {
      const target = decodeTarget(context, kind, options.fieldValidation);
      for (const warning of warningsFor(draft, target)) scope.request.warn(warning);
    }
    reportDuplicates(scope, duplicates, options);
    return draft;
  } catch (error) {
    if (error instanceof ApplyConflictError) throw conflictStatus(error.conflicts);
    if (error instanceof TypedValueError) throw badRequest(error.message);
    throw error;
  }
}

function finish(
  context: ApplyContext,
  kind: BodyKind | ResourceType,
  live: TypedObject,
  value: JsonObject | undefined,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
  options: PatchOptions,
  named: string,
): ApiObject {
  const target = decodeTarget(context, kind, options.fieldValidation);
  let draft: ApiObject;
  if (value === undefined) {
    draft = structuredClone(live.value) as ApiObject;
  } else {
    try {
      draft = conformTo(value, target, new WeakMap(), []);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw badRequest(
        `failed to convert new object (${named}) to proper version: unable to convert unstructured object to ${kindText(kind)}: ${why}`,
      );
    }
    if ("plural" in kind) applyDefaultsOf(context, draft, kind);
  }
  setManagedFields(draft, managedFields);
  return draft;
}

function applyDefaultsOf(context: ApplyContext, draft: ApiObject, type: ResourceType): void {
  const schema = type.custom?.schema;
  if (schema === undefined) context.kindOf(type).setDefaults(draft);
  else defaultMembers(draft, schema);
}

/**
 * Rejects a configuration that sets managedFields, or whose kind differs from the path's.
 *
 * @throws ApiStatusError 400
 */
function checkConfiguration(configuration: JsonObject, kind: BodyKind): void {
  const { apiVersion, kind: stated } = configuration;
  if (apiVersion !== groupVersion(kind) || stated !== kind.kind) {
    const version = typeof apiVersion === "string" ? apiVersion : "";
    const name = typeof stated === "string" ? stated : "";
    throw badRequest(`invalid object type: ${version.includes("/") ? "" : "/"}${version}, Kind=${name}`);
  }
  const { metadata } = configuration;
  if (isJsonObject(metadata) && Array.isArray(metadata.managedFields)) {
    throw badRequest("metadata.managedFields must be nil");
  }
}

/** Formats a schema.GroupVersionKind: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
function kindText({ group, version, kind }: BodyKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Formats an object's name: `default/web; apps/v1, Kind=Deployment`. */
function nameOf({ metadata }: JsonObject, kind: BodyKind): string {
  const { namespace = "", name = "" } = isJsonObject(metadata) ? metadata : {};
  return `${String(namespace)}/${String(name)}; ${kindText(kind)}`;
}
