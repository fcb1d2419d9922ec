import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  objectOf,
  string,
  timestamp,
} from "../../lib/cel/types.ts";
import { escapeName } from "./escape.ts";

/**
 * Returns the type of `self` in a schema's rules, or undefined if expressions cannot see it (SchemaDeclType
 * of k8s.io/apiserver/pkg/cel/common). Fields without a type (x-kubernetes-preserve-unknown-fields) cannot be
 * named, nor can lists and maps of them.
 *
 * @param isResource whether it is a resource, at the root or embedded: it has apiVersion, kind and
 *   metadata.name even if the schema does not declare them
 */
export function selfType(schema: RawSchema, isResource: boolean, name = "selfType"): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return dyn;
  const { type, items, additionalProperties } = isResource ? withResourceFields(schema) : schema;
  switch (type) {
    case "array": {
      const element = items === undefined ? undefined : selfType(items, isEmbedded(items), `${name}.@idx`);
      return element === undefined ? undefined : listOf(element);
    }
    case "object": {
      if (typeof additionalProperties === "object") {
        const value = selfType(additionalProperties, isEmbedded(additionalProperties), `${name}.@elem`);
        return value === undefined ? undefined : mapOf(string, value);
      }
      return objectType(isResource ? withResourceFields(schema) : schema, name);
    }
    case "string":
      return textTypes[schema.format ?? ""] ?? string;
    case "boolean":
      return bool;
    case "number":
      return double;
    case "integer":
      return int;
    default:
      return undefined;
  }
}

const textTypes: Record<string, CelType> = { byte: bytes, duration, date: timestamp, "date-time": timestamp };

function objectType({ properties = {} }: RawSchema, name: string): CelType {
  const fields = new Map<string, CelType>();
  for (const [key, property] of Object.entries(properties)) {
    const type = selfType(property, isEmbedded(property), `${name}.${key}`);
    const escaped = escapeName(key);
    if (type === undefined || escaped === undefined) continue;
    fields.set(escaped, type);
    // Behind a dot, a keyword may also be written unescaped.
    if (escaped === `__${key}__`) fields.set(key, type);
  }
  return objectOf(name, fields);
}

export function isEmbedded(schema: RawSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

const text: RawSchema = { type: "string" };
const resourceFields: Record<string, RawSchema> = {
  apiVersion: text,
  kind: text,
  metadata: { type: "object", properties: { name: text, generateName: text } },
};

/** Returns the schema with the fields that every resource has. Of the metadata, rules only see the name. */
export function withResourceFields(schema: RawSchema): RawSchema {
  return { ...schema, properties: { ...schema.properties, ...resourceFields } };
}
