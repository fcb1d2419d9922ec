import { getMember, isJsonObject, type JsonObject, type JsonValue, setMember } from "../../lib/json/json.ts";
import type { RawSchema } from "./schema.ts";

/**
 * Sets the schema's defaults of a custom resource. They replace missing values and nulls that the schema
 * forbids. Validation reports other nulls. Server-side apply decodes in this way.
 */
export function defaultMembers(object: JsonObject, schema: RawSchema): void {
  applySchemaDefaults(object, schema);
}

/**
 * Sets the schema's defaults of a custom resource in place
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting). It runs on reads as well as writes,
 * because objects may be older than the default. A null that the schema forbids counts as missing. A default
 * inside an object applies only if that object exists; `default: {}` on the object creates it.
 */
export function defaultCustomResource(object: JsonObject, schema: RawSchema): void {
  dropNulls(object, schema);
  applySchemaDefaults(object, schema);
}

function applySchemaDefaults(value: JsonValue | undefined, schema: RawSchema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    value.forEach((item, index) => {
      if (item === null && items?.nullable !== true && items?.default !== undefined) {
        value[index] = structuredClone(items.default);
      }
      applySchemaDefaults(value[index], items);
    });
    return;
  }
  if (!isJsonObject(value)) return;
  const { properties = {}, additionalProperties } = schema;
  for (const [key, property] of Object.entries(properties)) {
    if (property.default === undefined) continue;
    const current = getMember(value, key);
    if (current === undefined || (current === null && property.nullable !== true)) {
      setMember(value, key, structuredClone(property.default));
    }
  }
  for (const key of Object.keys(value)) {
    const member = memberSchema(properties, additionalProperties, key);
    if (value[key] === null && member?.nullable !== true && member?.default !== undefined) {
      value[key] = structuredClone(member.default);
    }
    applySchemaDefaults(value[key], member);
  }
}

/** Removes nulls that the schema forbids and that have no default. */
function dropNulls(value: JsonValue | undefined, schema: RawSchema | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, schema.items);
  } else if (isJsonObject(value)) {
    const { properties = {}, additionalProperties } = schema;
    for (const key of Object.keys(value)) {
      const member = memberSchema(properties, additionalProperties, key);
      const declared = Object.hasOwn(properties, key);
      if (value[key] !== null) dropNulls(value[key], member);
      else if (declared && member?.nullable !== true && member?.default === undefined) delete value[key];
    }
  }
}

function memberSchema(
  properties: Record<string, RawSchema>,
  additionalProperties: RawSchema | boolean | undefined,
  key: string,
): RawSchema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
