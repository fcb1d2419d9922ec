import { getMember, isJsonObject, type JsonObject, type JsonValue, setMember } from "../../lib/json/json.ts";
import type { RawSchema } from "./schema.ts";

/**
 * Gives a custom resource the defaults of its schema where there is nothing, or a null that may not be; other nulls stay
 * for validation to find. Server-side apply decodes in this way.
 */
export function defaultMembers(object: JsonObject, schema: RawSchema): void {
  applySchemaDefaults(object, schema);
}

/**
 * Gives a custom resource the defaults of its schema, in place: on writing, and on reading as well, since objects may
 * be older than the default. A null where the schema allows none counts as absent. A default inside an object is used
 * only where that object is there; `default: {}` on the object makes it so.
 * @see k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting
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

/** A null that may not be, and that no default replaces, is left out. */
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
