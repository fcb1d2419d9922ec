import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import {
  deducedType,
  type FieldType,
  type ListType,
  type MapType,
  untypedAtomic,
} from "../../lib/structured-merge-diff/typed-schema.ts";
import type { Schema } from "../schema/schema.ts";
import { conform } from "../serializer/conform.ts";

const compiled = new WeakMap<Schema, FieldType>();
const compiledPreserving = new WeakMap<Schema, FieldType>();

/** What a schema inherits from the enclosing ones. */
interface Surroundings {
  /** Whether one of them preserves unknown fields. */
  preserving: boolean;
  /** Schema of the metadata of the object and of embedded objects. */
  metadata: Schema | undefined;
}

/**
 * Returns the type of a kind from its schema, and caches it (schemaconv.ToSchemaFromOpenAPI of kube-openapi).
 */
export function objectType(schema: Schema): FieldType {
  return fieldType(schema, { preserving: false, metadata: schema.properties?.metadata });
}

function fieldType(schema: Schema, around: Surroundings): FieldType {
  // A referenced definition does not depend on the schema that refers to it.
  const preserving =
    (around.preserving && schema.ref === undefined) ||
    schema["x-kubernetes-preserve-unknown-fields"] === true;
  const cache = preserving ? compiledPreserving : compiled;
  let type = cache.get(schema);
  if (type === undefined) {
    type = compile(schema, { ...around, preserving });
    cache.set(schema, type);
  }
  return type;
}

function compile(schema: Schema, around: Surroundings): FieldType {
  if (schema.ref?.endsWith(".api.resource.Quantity")) return { scalar: "untyped" };
  if (schema.ref?.endsWith(".pkg.runtime.RawExtension")) return untypedAtomic;
  switch (schema.type) {
    case undefined:
    case "":
      return { scalar: "untyped", list: listType(schema, around), map: mapType(schema, around) };
    case "object":
      return { map: mapType(schema, around) };
    case "array":
      return { list: listType(schema, around) };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    case "string":
      return {
        scalar: schema.format === undefined || ["", "byte"].includes(schema.format) ? "string" : "untyped",
      };
    default:
      return { scalar: "untyped" };
  }
}

function mapType(schema: Schema, around: Surroundings): MapType {
  const { additionalProperties } = schema;
  const properties = propertiesOf(schema, around);
  const names = Object.keys(properties ?? {});
  const fields = new Map<string, FieldType>();
  const known = new Set(names);
  return {
    atomic: schema["x-kubernetes-map-type"] === "atomic",
    field(name) {
      if (!known.has(name)) return undefined;
      let type = fields.get(name);
      if (type === undefined) {
        type = fieldType(properties?.[name] ?? {}, around);
        fields.set(name, type);
      }
      return type;
    },
    get element() {
      if (additionalProperties === undefined)
        return around.preserving || names.length === 0 ? deducedType : undefined;
      if (additionalProperties === true) return deducedType;
      return additionalProperties === false ? undefined : fieldType(additionalProperties, around);
    },
    untyped: names.length === 0 && (additionalProperties === undefined || additionalProperties === true),
  };
}

/** Returns the properties. An embedded object has those of every object. */
function propertiesOf(schema: Schema, { metadata }: Surroundings): Record<string, Schema> | undefined {
  if (schema["x-kubernetes-embedded-resource"] !== true || metadata === undefined) return schema.properties;
  return { ...schema.properties, apiVersion: { type: "string" }, kind: { type: "string" }, metadata };
}

function listType(schema: Schema, around: Surroundings): ListType {
  const { items } = schema;
  const { associative, keys } = relationship(schema);
  return {
    associative,
    keys,
    get element() {
      return items === undefined ? untypedAtomic : fieldType(items, around);
    },
    sortedKeys: [...keys].sort().map((name) => ({ name, default: items?.properties?.[name]?.default })),
  };
}

function relationship(schema: Schema): { associative: boolean; keys: readonly string[] } {
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== undefined) {
    return {
      associative: listType !== "atomic",
      keys: listType === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : [],
    };
  }
  const merges = ["merge", "merge,retainKeys"].includes(schema["x-kubernetes-patch-strategy"] ?? "");
  const key = schema["x-kubernetes-patch-merge-key"];
  return { associative: merges, keys: merges && key !== undefined ? [key] : [] };
}

/**
 * Returns an empty object of a kind: Go's zero value as JSON. It has structs that are not pointers, and null
 * for lists, maps and pointers that are always written.
 */
export function emptyObject(schema: Schema): JsonObject {
  const object = conform({}, schema);
  addNulls(object, schema);
  return object;
}

function addNulls(object: JsonObject, schema: Schema): void {
  for (const name of schema.required ?? []) object[name] ??= null;
  for (const [name, value] of Object.entries(object)) {
    const property = schema.properties?.[name];
    if (property !== undefined && isJsonObject(value)) addNulls(value, property);
  }
}
