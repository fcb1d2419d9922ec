import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { prune } from "../../apimachinery/schema/prune.ts";
import type { RawSchema, Schema } from "../../apimachinery/schema/schema.ts";
import { forbidden, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { compilePattern } from "../../lib/formats/patterns.ts";
import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";
import { validateValue } from "../custom-resource/validate-value.ts";
import { validateDefaultRules } from "../rules/validate-default-rules.ts";
import { validateRuleSchema } from "../rules/validate-rule-schema.ts";
import { validateListSchema } from "./validate-list-schema.ts";

// A structural schema: every field has a type outside of allOf, anyOf, oneOf and not, so that pruning and
// defaulting can rely on it (ValidateStructural of k8s.io/apiextensions-apiserver/pkg/apiserver/schema).

type Level = "root" | "item" | "field";

const types = ["array", "boolean", "integer", "number", "object", "string"];
const emptyType: Record<Level, string> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};
const unsupported = [
  "$ref",
  "definitions",
  "dependencies",
  "patternProperties",
  "additionalItems",
  "id",
] as const;

/** Validates that the schema is structural. @param path path of the schema in the definition */
export function validateCrdSchema(schema: RawSchema, path: string): StatusCause[] {
  const forbiddenWords = validateWords(schema, path);
  // Nothing else is reported about a schema with unsupported keywords.
  if (forbiddenWords.length > 0) return forbiddenWords;
  const causes = validateStructure(schema, "root", path);
  if (causes.length > 0) return causes;
  const rules = validateRuleSchema(schema, path);
  return rules.length > 0 ? rules : validateDefaultRules(schema, path);
}

/** Rejects keywords that no schema may have. */
function validateWords(schema: RawSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const word of unsupported) {
    if ((schema as Record<string, unknown>)[word] !== undefined) {
      causes.push(forbidden(`${path}.${word}`, `${word} is not supported`));
    }
  }
  if (schema.uniqueItems === true) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    causes.push(forbidden(`${path}.uniqueItems`, detail));
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    causes.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
  }
  if (schema.additionalProperties && Object.keys(schema.properties ?? {}).length > 0) {
    const detail = "additionalProperties and properties are mutual exclusive";
    causes.push(forbidden(`${path}.additionalProperties`, detail));
  }
  if (schema.type && !types.includes(schema.type)) {
    causes.push(notSupported(`${path}.type`, schema.type, types));
  }
  causes.push(...validateListSchema(schema, path));
  for (const [inner, place] of children(schema, path)) causes.push(...validateWords(inner, place));
  return causes;
}

/** Yields the schemas inside a schema, with their paths. */
function* children(schema: RawSchema, path: string): Generator<[RawSchema, string]> {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield [property, `${path}.properties[${key}]`];
  }
  if (schema.items !== undefined) yield [schema.items, `${path}.items`];
  if (typeof schema.additionalProperties === "object") {
    yield [schema.additionalProperties, `${path}.additionalProperties`];
  }
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, inner] of (schema[junctor] ?? []).entries()) {
      yield [inner, `${path}.${junctor}[${index}]`];
    }
  }
  if (schema.not !== undefined) yield [schema.not, `${path}.not`];
}

/**
 * Validates that a schema and the schemas inside it are structural.
 * @param ofMap whether these are values of a map, whose defaults a real server ignores
 */
function validateStructure(schema: RawSchema, level: Level, path: string, ofMap = false): StatusCause[] {
  const causes: StatusCause[] = [];
  const { properties = {}, additionalProperties, items, type } = schema;
  if (type === "array" && items === undefined) causes.push(required(`${path}.items`, "must be specified"));
  if (items !== undefined) causes.push(...validateStructure(items, "item", `${path}.items`, ofMap));
  for (const [key, property] of Object.entries(properties)) {
    if (key === "metadata" && level === "root") continue;
    causes.push(...validateStructure(property, "field", `${path}.properties[${key}]`, ofMap));
  }
  if (additionalProperties !== undefined && level === "root") {
    causes.push(forbidden(`${path}.additionalProperties`, "must not be used at the root"));
  } else if (typeof additionalProperties === "object") {
    causes.push(...validateStructure(additionalProperties, "field", `${path}.additionalProperties`, true));
  }
  causes.push(
    ...validateType(schema, level, path),
    ...validateResourceFields(schema, level, path),
    // Only at the root must fields of a junctor be declared outside of it, as in a real server.
    ...validateJunctors(schema, path, level === "root"),
    ...(ofMap ? [] : validateDefault(schema, path)),
  );
  if (schema.pattern) causes.push(...validatePattern(schema.pattern, `${path}.pattern`));
  return causes;
}

function validateType(schema: RawSchema, level: Level, path: string): StatusCause[] {
  const { type } = schema;
  const intOrString = schema["x-kubernetes-int-or-string"] === true;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const causes: StatusCause[] = [];
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    causes.push(type ? invalid(`${path}.type`, type, detail) : required(`${path}.type`, detail));
  } else if (!type && !intOrString && !preserves) causes.push(required(`${path}.type`, emptyType[level]));
  if (level === "root" && type && type !== "object") {
    causes.push(invalid(`${path}.type`, type, "must be object at the root"));
  }
  if (embedded && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    causes.push(required(`${path}.properties`, detail));
  }
  if (intOrString && preserves) {
    const detail = "must be false if x-kubernetes-int-or-string is true";
    causes.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail));
  }
  if (intOrString && embedded) {
    const detail = "must be false if x-kubernetes-int-or-string is true";
    causes.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, detail));
  }
  return causes;
}

/** Validates apiVersion, kind and metadata. A schema may only restrict metadata.name. */
function validateResourceFields(schema: RawSchema, level: Level, path: string): StatusCause[] {
  if (level !== "root" && schema["x-kubernetes-embedded-resource"] !== true) return [];
  const causes: StatusCause[] = [];
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  for (const [key, property] of Object.entries({ kind, apiVersion })) {
    if (property !== undefined && property.type !== "string") {
      causes.push(invalid(`${path}.properties[${key}].type`, property.type ?? "", "must be string"));
    }
  }
  if (metadata === undefined) return causes;
  const place = `${path}.properties[metadata]`;
  if (metadata.type !== "object") {
    causes.push(invalid(`${place}.type`, metadata.type ?? "", "must be object"));
  }
  const { type: _type, description: _description, properties = {}, ...rest } = metadata;
  const foreign = Object.keys(properties).some((key) => key !== "name" && key !== "generateName");
  if (level === "root" && (foreign || Object.keys(rest).length > 0)) {
    const detail =
      "must not specify anything other than name and generateName, but metadata is implicitly specified";
    causes.push(forbidden(place, detail));
  }
  return causes;
}

const intOrStringAlternatives = [{ type: "integer" }, { type: "string" }];

/**
 * Validates allOf, anyOf, oneOf and not. They may only restrict values, and cannot declare fields or types.
 */
function validateJunctors(
  schema: RawSchema,
  path: string,
  complete: boolean,
  declared: RawSchema = schema,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const intOrString = schema["x-kubernetes-int-or-string"] === true;
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    const list = schema[junctor];
    if (junctor === "anyOf" && intOrString && isDeepStrictEqual(list, intOrStringAlternatives)) continue;
    for (const [index, inner] of (list ?? []).entries()) {
      const isPattern = intOrString && isDeepStrictEqual(inner.anyOf, intOrStringAlternatives);
      if (junctor === "allOf" && index === 0 && isPattern) continue;
      causes.push(...validateNested(inner, declared, `${path}.${junctor}[${index}]`, complete));
    }
  }
  if (schema.not !== undefined) causes.push(...validateNested(schema.not, declared, `${path}.not`, complete));
  return causes;
}

const undefinedInside = ["default", "nullable", "title", "description"] as const;
const extensions = [
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
] as const;

function validateNested(inner: RawSchema, outer: RawSchema, path: string, complete: boolean): StatusCause[] {
  const causes: StatusCause[] = [];
  if (inner.type) causes.push(forbidden(`${path}.type`, "must be empty to be structural"));
  if (inner.additionalProperties !== undefined) {
    causes.push(forbidden(`${path}.additionalProperties`, "must be undefined to be structural"));
  }
  for (const word of undefinedInside) {
    if (inner[word] === undefined) continue;
    const detail = word === "title" || word === "description" ? "must be empty" : "must be undefined";
    causes.push(forbidden(`${path}.${word}`, `${detail} to be structural`));
  }
  for (const word of extensions) {
    if (inner[word] !== undefined)
      causes.push(forbidden(`${path}.${word}`, "must be undefined to be structural"));
  }
  if (inner["x-kubernetes-validations"] !== undefined) {
    causes.push(forbidden(`${path}.x-kubernetes-validations`, "must be empty to be structural"));
  }
  for (const [key, property] of Object.entries(inner.properties ?? {})) {
    const place = `${path}.properties[${key}]`;
    const declared = outer.properties?.[key];
    if (complete && declared === undefined) {
      const missing = place.replace(/\.(allOf|anyOf|oneOf)\[\d+\]|\.not/g, "");
      causes.push(required(missing, `because it is defined in ${place}`));
    }
    causes.push(...validateNested(property, declared ?? {}, place, complete));
  }
  if (inner.items !== undefined)
    causes.push(...validateNested(inner.items, outer.items ?? {}, `${path}.items`, complete));
  return [...causes, ...validateJunctors(inner, path, complete, outer)];
}

function validatePattern(pattern: string, path: string): StatusCause[] {
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [invalid(path, pattern, `must be a valid regular expression, but isn't: ${why}`)];
  }
}

/** Validates a default: it must be valid, and pruning must not change it. */
function validateDefault(schema: RawSchema, path: string): StatusCause[] {
  const { default: value } = schema;
  if (value === undefined || value === null) return [];
  const causes = validateValue(value, schema, "");
  if (causes.length > 0) {
    return causes.map((cause) => ({
      ...cause,
      field: cause.field === "<nil>" ? `${path}.default` : `${path}.default.${cause.field}`,
    }));
  }
  if (!isUnpruned(value, schema)) {
    return [invalid(`${path}.default`, value, "must not have unknown fields")];
  }
  return [];
}

function isUnpruned(value: JsonValue, schema: RawSchema): boolean {
  const wrapped = { value: structuredClone(value) };
  return (
    prune(wrapped, { type: "object", properties: { value: schema as Schema } }).length === 0 ||
    !isContainer(value)
  );
}

function isContainer(value: JsonValue): boolean {
  return isJsonObject(value) || Array.isArray(value);
}
