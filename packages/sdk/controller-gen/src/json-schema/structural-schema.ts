import { isDeepStrictEqual } from "node:util";
import { closest } from "../problem.ts";
import type { Schema, ValidationRule } from "../schema/schema.ts";
import type { Json } from "../yaml/emit.ts";
import { concatRules, intersect, type Junctor, reportDifference, unite, validations } from "./combine.ts";
import {
  fieldOf,
  isJsonSchema,
  itemOf,
  type JsonSchema,
  listOf,
  type Place,
  type ReportField,
  unrepresentable,
} from "./json-schema.ts";
import { follow, mergeBeside } from "./references.ts";
import { numberOf, stringOf } from "./scalars.ts";

/** A schema for any value, which the server keeps unchanged. */
const anything: Schema = { "x-kubernetes-preserve-unknown-fields": true };

const inCel = "write a CEL rule in x-kubernetes-validations";
const orUnchecked =
  "let the server keep this field unchecked with x-kubernetes-preserve-unknown-fields: true";

/** Keywords of JSON Schema that a structural schema cannot have. */
const unsupported: Readonly<Record<string, readonly [message: string, suggestion: string]>> = {
  not: ["the keyword not is not supported", "list the allowed values, or leave the field out"],
  if: ["the keyword if is not supported", inCel],
  dependentRequired: ["the keyword dependentRequired is not supported", inCel],
  dependentSchemas: ["the keyword dependentSchemas is not supported", inCel],
  contains: ["the keyword contains is not supported", `${inCel} with self.exists(…)`],
  prefixItems: [
    "tuples are not supported: all items of a list have the same schema",
    "use an object with a field for each item",
  ],
  patternProperties: [
    "an API server cannot check the keys of a map",
    `allow any string as key, and ${inCel} with self.all(key, key.matches(…))`,
  ],
};

const extensions = new Set([
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
]);

/**
 * Converts a JSON Schema to a structural schema, the form that a CustomResourceDefinition requires. Resolves
 * `$ref`s, turns null into `nullable` and `const` into `enum`, and omits annotations that Kubernetes does not
 * have.
 *
 * @param document a schema of draft 2020-12, of most of draft-07, or of OpenAPI 3.0
 */
export function structuralSchema(document: JsonSchema, report: ReportField): Schema {
  const convert = (given: unknown, at: Place, to: ReportField): Schema => {
    const resolved = given === true ? {} : given;
    if (!isJsonSchema(resolved)) {
      to(at.path, "no value is allowed here", "leave the field out");
      return anything;
    }
    const fallback = fallbackOf(resolved);
    if (fallback === undefined) return convertNode(resolved, at, to);
    let problems = 0;
    const result = convertNode(resolved, at, () => problems++);
    return problems === 0 ? result : fallback;
  };

  const convertNode = (given: JsonSchema, at: Place, to: ReportField): Schema => {
    const { schema, place, cycle } = follow(document, given, at);
    if (cycle) {
      to(at.path, "the schema contains itself, and a structural schema cannot", orUnchecked);
      return anything;
    }
    const message = schema[unrepresentable];
    if (typeof message === "string") {
      to(at.path, message, `use a type of JSON (for a date, an ISO 8601 string), or ${orUnchecked}`);
    }
    for (const [word, [what, out]] of Object.entries(unsupported)) {
      if (schema[word] !== undefined) to(at.path, what, out);
    }
    const { node, nullIn } = withoutNull(schema);
    if (isJsonSchema(node.propertyNames)) {
      node.propertyNames = follow(document, node.propertyNames, place).schema;
    }
    const only = onlyBranch(node);
    if (only !== undefined) {
      const union = node.anyOf === undefined ? "oneOf" : "anyOf";
      const nullable = nullIn.has("nullable") || (nullIn.has(union) && nullIn.has("type"));
      return convert(nullable ? { ...only, nullable } : only, place, to);
    }
    const annotations = annotationsOf(node, at, to);
    const child = (inner: unknown, where: Place): Schema => convert(inner, where, to);
    const own = ofType(node, place, child, to);
    const hasOwnType = node.type !== undefined || node.enum !== undefined;
    const parts = [hasOwnType && nullIn.has("type") ? { ...own, nullable: true } : own];
    for (const part of listOf(node.allOf)) parts.push(child(part, place));
    for (const word of ["anyOf", "oneOf"] as const satisfies readonly Junctor[]) {
      const branches = listOf(node[word]).map((branch) => child(branch, place));
      if (branches.length === 0) continue;
      const union = unite(branches, word, place, to);
      parts.push(nullIn.has(word) ? { ...union, nullable: true } : union);
    }
    const meaningful = parts.filter((part) => Object.keys(part).length > 0);
    const result = meaningful.reduce<Schema>((a, b) => intersect(a, b, place, to), {});
    if (nullIn.has("nullable")) annotations.nullable = true;
    addAnnotations(result, annotations, place, to);
    const isTyped =
      result.type !== undefined ||
      result["x-kubernetes-int-or-string"] === true ||
      // A member of an allOf needs no type, because the outer schema has one.
      Object.keys(result).length > 0;
    if (annotations["x-kubernetes-int-or-string"] === true && !result["x-kubernetes-int-or-string"])
      return { ...intOrString(), ...annotations };
    if (!isTyped) return { ...anything, nullable: true, ...annotations };
    const typed = { ...result, ...annotations };
    return typed.nullable === true ? enumAside(typed) : typed;
  };

  return convert(document, { path: "", refs: ["#"] }, report);
}

/**
 * Moves the enum of a nullable schema into allOf. A server compares null with an enum even if the schema is
 * nullable, but does not check null against allOf (kube-openapi, basicCommonValidator).
 */
function enumAside({ enum: values, ...schema }: Schema): Schema {
  return values === undefined ? schema : { ...schema, allOf: [...(schema.allOf ?? []), { enum: values }] };
}

/** The keywords that allow null. "type" includes the enum, and "nullable" is the flag of OpenAPI. */
type NullIn = Set<"nullable" | "type" | Junctor>;

/** Removes null from types, enums and unions, and returns the keywords that allowed it. */
function withoutNull(schema: JsonSchema): { node: Record<string, unknown>; nullIn: NullIn } {
  const node: Record<string, unknown> = { ...schema };
  const nullIn: NullIn = new Set(schema.nullable === true ? ["nullable"] : []);
  let excludesNull = false;
  if (node.const !== undefined) {
    node.enum ??= [node.const];
    delete node.const;
  }
  for (const word of ["type", "enum"] as const) {
    const values = node[word];
    if (typeof values === "string") excludesNull = true;
    if (!Array.isArray(values)) continue;
    const none = word === "type" ? "null" : null;
    const rest = values.filter((value) => value !== none);
    if (rest.length === values.length) excludesNull = true;
    node[word] = word === "type" && rest.length === 1 ? rest[0] : rest;
  }
  if (!excludesNull) nullIn.add("type");
  for (const word of ["anyOf", "oneOf"] as const) {
    const branches = node[word];
    if (!Array.isArray(branches)) continue;
    const rest = branches.filter((branch) => !isNull(branch));
    if (rest.length < branches.length) nullIn.add(word);
    node[word] = rest;
  }
  return { node, nullIn };
}

/**
 * Returns the only member of a union, with the keywords beside the union, or undefined if there are several
 * members.
 */
function onlyBranch({ anyOf, oneOf, ...node }: JsonSchema): JsonSchema | undefined {
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches) || branches.length !== 1 || (anyOf !== undefined && oneOf !== undefined))
    return undefined;
  const [branch] = branches;
  return isJsonSchema(branch) && node.allOf === undefined ? mergeBeside(branch, node) : undefined;
}

function isNull(schema: unknown): boolean {
  return isJsonSchema(schema) && (schema.type === "null" || schema.const === null);
}

/** Returns the structural schema of the keywords outside allOf, anyOf and oneOf, or {} if there are none. */
function ofType(
  node: JsonSchema,
  at: Place,
  child: (inner: unknown, where: Place) => Schema,
  report: ReportField,
): Schema {
  const types = typesOf(node);
  const values = Array.isArray(node.enum) && node.enum.length > 0 ? { enum: node.enum as Json[] } : {};
  if (types.length === 2 && types.includes("integer") && types.includes("string")) {
    const { format: _, ...bounds } = numberOf(node, "integer");
    return {
      ...intOrString(),
      ...values,
      ...bounds,
      ...stringOf({ ...node, format: undefined }, at, report),
    };
  }
  if (types.length > 1) {
    report(
      at.path,
      `values of the types ${types.join(" and ")} are not supported in one field`,
      `use one type, or ${orUnchecked}`,
    );
    return anything;
  }
  const [type] = types;
  switch (type) {
    case "string":
      return { type, ...values, ...stringOf(node, at, report) };
    case "integer":
    case "number": {
      const isInteger = type === "integer";
      return { type, ...values, ...numberOf(node, isInteger ? "integer" : "number") };
    }
    case "boolean":
      return { type, ...values };
    case "array":
      return { type, ...arrayOf(node, at, child) };
    case "object":
      return { type, ...objectOf(node, at, child, report) };
    case "null":
      report(at.path, "null is the only value", "leave the field out");
      return anything;
    case undefined: {
      // This is a member of an allOf, and the outer schema has the type.
      const { format: _, ...bounds } = numberOf(node, "integer");
      return { ...bounds, ...stringOf(node, at, report) };
    }
    default:
      report(
        at.path,
        `${type} is not a type of JSON Schema`,
        "use object, array, string, integer, number or boolean",
      );
      return anything;
  }
}

function typesOf({ type, enum: values, ...node }: JsonSchema): string[] {
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.map(String);
  if (Array.isArray(values) && values.length > 0) return [...new Set(values.map(typeOfValue))];
  if (node.properties !== undefined || node.additionalProperties !== undefined) return ["object"];
  return node.items === undefined ? [] : ["array"];
}

function typeOfValue(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return Array.isArray(value) ? "array" : typeof value;
}

function arrayOf(node: JsonSchema, at: Place, child: (inner: unknown, where: Place) => Schema): Schema {
  const { items, minItems, maxItems, uniqueItems } = node;
  const result: Schema = { items: child(items === undefined || items === false ? {} : items, itemOf(at)) };
  if (typeof minItems === "number") result.minItems = minItems;
  if (typeof maxItems === "number") result.maxItems = maxItems;
  // An explicit list type is more precise: the items of a map list are unique by their keys.
  if (uniqueItems === true && node["x-kubernetes-list-type"] === undefined) {
    result["x-kubernetes-list-type"] = "set";
  }
  return result;
}

function objectOf(
  node: JsonSchema,
  at: Place,
  child: (inner: unknown, where: Place) => Schema,
  report: ReportField,
): Schema {
  const { minProperties, maxProperties, additionalProperties: rest, propertyNames } = node;
  const result: Schema = {};
  const fields = isJsonSchema(node.properties) ? Object.entries(node.properties) : [];
  const names = isJsonSchema(propertyNames) ? keysOf(propertyNames, at, report) : undefined;
  // A map with known keys is an object with these fields.
  for (const name of names ?? []) fields.push([name, rest ?? {}]);
  if (fields.length > 0) {
    result.properties = Object.fromEntries(
      fields.map(([name, field]) => [name, child(field, fieldOf(at, name))]),
    );
  }
  if (Array.isArray(node.required) && node.required.length > 0) result.required = node.required.map(String);
  if (typeof minProperties === "number") result.minProperties = minProperties;
  if (typeof maxProperties === "number") result.maxProperties = maxProperties;
  if (names !== undefined || rest === undefined || rest === false) return result;
  const values = child(rest, itemOf(at));
  const isOpen = values.type === undefined && values["x-kubernetes-preserve-unknown-fields"] === true;
  if (isOpen) result["x-kubernetes-preserve-unknown-fields"] = true;
  else if (fields.length === 0) result.additionalProperties = values;
  else {
    report(
      at.path,
      "an object cannot have named fields and a map of others",
      "move the map into a field of its own",
    );
  }
  return result;
}

/** Returns the only keys that a map may have, or undefined if it allows any string. */
function keysOf(schema: JsonSchema, { path }: Place, report: ReportField): string[] | undefined {
  const { type, const: only, enum: some = only === undefined ? undefined : [only], ...rest } = schema;
  if (Array.isArray(some)) return some.map(String);
  const checks = Object.keys(rest).filter((word) => !["title", "description"].includes(word));
  if (checks.length > 0 || (type !== undefined && type !== "string")) {
    const [message, suggestion] = unsupported.patternProperties ?? [];
    report(path, message ?? "", suggestion ?? "");
  }
  return undefined;
}

function annotationsOf(node: JsonSchema, { path }: Place, report: ReportField): Schema {
  const result: Record<string, unknown> = {};
  for (const word of ["title", "description"]) if (typeof node[word] === "string") result[word] = node[word];
  if (node.default !== undefined) result.default = node.default;
  for (const [word, value] of Object.entries(node)) {
    if (!word.startsWith("x-kubernetes-")) continue;
    result[word] = value;
    if (extensions.has(word)) continue;
    const near = closest(word, [...extensions]);
    report(
      path,
      `there is no ${word}`,
      near === undefined ? `there are ${[...extensions].join(", ")}` : `did you mean ${near}?`,
    );
  }
  return result as Schema & { "x-kubernetes-validations"?: ValidationRule[] };
}

/** Adds the CEL rules of the members to those of the outer schema. Reports other extensions that differ. */
function addAnnotations(members: Schema, outer: Schema, { path }: Place, report: ReportField): void {
  const rules = concatRules(members[validations] ?? [], outer[validations] ?? []);
  if (rules.length > 0) outer[validations] = rules;
  const own = new Map(Object.entries(outer));
  for (const [key, value] of Object.entries(members)) {
    if (!key.startsWith("x-kubernetes-") || key === validations) continue;
    if (own.has(key) && !isDeepStrictEqual(own.get(key), value)) reportDifference(key, path, report);
  }
}

/**
 * Returns the schema to use if this one cannot be converted and the author has asked the server to keep the
 * field.
 */
function fallbackOf(schema: JsonSchema): Schema | undefined {
  const isKept = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (!isKept && schema["x-kubernetes-int-or-string"] !== true) return undefined;
  const { type: given, enum: values } = schema;
  const { nullIn } = withoutNull(schema);
  const annotations = annotationsOf(schema, { path: "", refs: [] }, () => {});
  const isOpen = given === undefined && values === undefined && schema.const === undefined;
  if (isOpen) nullIn.delete("type");
  if (nullIn.size > 0) annotations.nullable = true;
  if (!isKept) return { ...intOrString(), ...annotations };
  const type = commonType(schema);
  if (type !== "array") return { ...(type === "object" ? { type } : {}), ...annotations };
  const { "x-kubernetes-preserve-unknown-fields": _, ...rest } = annotations;
  return { type, items: anything, ...rest };
}

function commonType(schema: JsonSchema): unknown {
  if (schema.type !== undefined) return schema.type;
  const types = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
    .filter((branch) => !isNull(branch))
    .map((branch) => (isJsonSchema(branch) ? branch.type : undefined));
  return types.every((type) => type === types[0]) ? types[0] : undefined;
}

function intOrString(): Schema {
  return { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };
}
