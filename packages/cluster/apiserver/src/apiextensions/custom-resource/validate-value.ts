import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import {
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../../apimachinery/validation/cause.ts";
import { hasFormat, isKnownFormat } from "../../lib/formats/openapi-formats.ts";
import { matchesPattern } from "../../lib/formats/patterns.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";

// This does not use ajv. People read these errors and scripts match them, so they have the real server's
// paths, order and messages. Errors of ajv would have to be taken apart and rebuilt.

/**
 * Validates a value against a schema (kube-openapi/pkg/validation/validate).
 *
 * @param path path of the value, "" at the root
 * @param old the previous value: unchanged parts are not reported (ratcheting)
 */
export function validateValue(
  value: JsonValue,
  schema: RawSchema,
  path: string,
  old?: JsonValue,
): StatusCause[] {
  if (old !== undefined && isDeepStrictEqual(value, old)) return [];
  if (value === null) {
    const mayBeNull = schema.nullable || typesOf(schema).length === 0;
    return [...(mayBeNull ? [] : [wrongType(value, schema, path)]), ...validateEnum(value, schema, path)];
  }
  return [
    ...validateType(value, schema, path),
    ...validateJunctors(value, schema, path),
    ...(typeof value === "string" ? validateString(value, schema, path) : []),
    ...(typeof value === "number" ? validateNumber(value, schema, path) : []),
    ...(Array.isArray(value) ? validateArray(value, schema, path, old) : []),
    ...validateEnum(value, schema, path),
    ...(isJsonObject(value) ? validateObject(value, schema, path, old) : []),
  ];
}

function typesOf(schema: RawSchema): string[] {
  if (schema["x-kubernetes-int-or-string"]) return ["integer", "string"];
  return schema.type === undefined || schema.type === "" ? [] : [schema.type];
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return isInt64(value) ? "integer" : "number";
  return typeof value;
}

function wrongType(value: JsonValue, schema: RawSchema, path: string): StatusCause {
  const given = formatOf(value, schema);
  if (given !== undefined) {
    const detail = `${path} in body must be of type ${schema.format}: ${JSON.stringify(given)}`;
    return typeInvalid(fieldOf(path), given, detail);
  }
  const actual = typeOf(value);
  const detail = `${path} in body must be of type ${typesOf(schema).join(",")}: "${actual}"`;
  return typeInvalid(fieldOf(path), actual, detail);
}

/**
 * Returns the name of a value's type. A number has the schema's format, if there is one. Objects and booleans
 * have none.
 */
function formatOf(value: JsonValue, { type, format = "" }: RawSchema): string | undefined {
  const isNumeric = type === "integer" && /^int(32|64)$/.test(format);
  if (!isNumeric && !(type === "string" && isKnownFormat(format))) return undefined;
  if (isJsonObject(value) || typeof value === "boolean") return "";
  if (typeof value !== "number") return undefined;
  return isInt64(value) ? "int64" : "float64";
}

/** Returns whether a number is an int64. Larger whole numbers are floats in Go. */
function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

function validateType(value: JsonValue, schema: RawSchema, path: string): StatusCause[] {
  const types = typesOf(schema);
  const actual = typeOf(value);
  if (types.length === 0 || types.includes(actual)) return [];
  // A real server does not check whether a list is a string, if the string has a format.
  if (actual === "array" && schema.type === "string" && isKnownFormat(schema.format ?? "")) return [];
  return actual === "integer" && types.includes("number") ? [] : [wrongType(value, schema, path)];
}

/** The path that a real server reports where it has lost the real one. */
const unknownPath = "<nil>";

function validateJunctors(value: JsonValue, schema: RawSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length > 0 && !schema["x-kubernetes-int-or-string"]) {
    const failures = anyOf.map((alternative) => validateValue(value, alternative, path));
    if (failures.every((failure) => failure.length > 0)) {
      causes.push(invalid(unknownPath, "", `"${path}" must validate at least one schema (anyOf)`));
      causes.push(...best(failures));
    }
  }
  if (oneOf.length > 0) {
    const failures = oneOf.map((alternative) => validateValue(value, alternative, path));
    const valid = failures.filter((failure) => failure.length === 0).length;
    const head = `"${path}" must validate one and only one schema (oneOf).`;
    if (valid === 0) causes.push(invalid(unknownPath, "", `${head} Found none valid`), ...best(failures));
    if (valid > 1) causes.push(invalid(unknownPath, "", `${head} Found ${valid} valid alternatives`));
  }
  if (allOf.length > 0) {
    const failures = allOf.flatMap((part) => validateValue(value, part, path));
    causes.push(...failures);
    if (failures.length > 0) {
      causes.push(invalid(unknownPath, "", `"${path}" must validate all the schemas (allOf)`));
    }
  }
  if (not !== undefined && validateValue(value, not, path).length === 0) {
    causes.push(invalid(unknownPath, "", `"${path}" must not validate the schema (not)`));
  }
  return causes;
}

/** Returns the causes of the alternative that failed with the fewest. */
function best(failures: StatusCause[][]): StatusCause[] {
  return failures.reduce((nearest, failure) => (failure.length < nearest.length ? failure : nearest));
}

function validateString(value: string, schema: RawSchema, path: string): StatusCause[] {
  const { format } = schema;
  const causes = validateText(value, schema, path);
  if (format !== undefined && !hasFormat(value, format)) {
    causes.push(
      typeInvalid(
        fieldOf(path),
        value,
        `${path} in body must be of type ${format}: ${JSON.stringify(value)}`,
      ),
    );
  }
  return causes;
}

/** Validates length and pattern. Only the first failure is reported. */
function validateText(value: string, schema: RawSchema, path: string): StatusCause[] {
  const { minLength, maxLength, pattern } = schema;
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength) return [tooLong(fieldOf(path), maxLength)];
  if (minLength !== undefined && length < minLength) {
    return [invalid(fieldOf(path), value, `${path} in body should be at least ${minLength} chars long`)];
  }
  if (pattern !== undefined && pattern !== "" && !matchesPattern(value, pattern)) {
    return [invalid(fieldOf(path), value, `${path} in body should match '${pattern}'`)];
  }
  return [];
}

function validateNumber(value: number, schema: RawSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const { format, multipleOf, exclusiveMinimum, exclusiveMaximum } = schema;
  // A whole number is compared with the integer part of a bound.
  const whole = Number.isInteger(value);
  const minimum = schema.minimum === undefined || !whole ? schema.minimum : Math.trunc(schema.minimum);
  const maximum = schema.maximum === undefined || !whole ? schema.maximum : Math.trunc(schema.maximum);
  if (schema.type === "integer" && !Number.isInteger(value)) {
    const kind = format === "int32" || format === "int64" ? `with format ${format}` : "(default format)";
    causes.push(invalid(unknownPath, "", `Checked value must be of type integer ${kind} in ${path}`));
  } else if (format === "int32" && (value > 2 ** 31 - 1 || value < -(2 ** 31))) {
    causes.push(
      invalid(unknownPath, "", `Checked value must be of type integer with format int32 in ${path}`),
    );
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    causes.push(invalid(fieldOf(path), value, `${path} in body should be a multiple of ${multipleOf}`));
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    const words = exclusiveMaximum ? "less than" : "less than or equal to";
    causes.push(invalid(fieldOf(path), value, `${path} in body should be ${words} ${maximum}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    const words = exclusiveMinimum ? "greater than" : "greater than or equal to";
    causes.push(invalid(fieldOf(path), value, `${path} in body should be ${words} ${minimum}`));
  }
  return causes;
}

function isMultiple(value: number, of: number): boolean {
  return Math.abs(value / of - Math.round(value / of)) < 1e-9;
}

function validateEnum(value: JsonValue, schema: RawSchema, path: string): StatusCause[] {
  const { enum: allowed = [] } = schema;
  if (allowed.length === 0) return [];
  // A real server never finds null in an enum, even one that lists it (basicCommonValidator of kube-openapi).
  if (value !== null && allowed.some((entry) => isDeepStrictEqual(entry, value))) return [];
  const names = allowed.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
  return [notSupported(fieldOf(path), value, names)];
}

function validateArray(
  value: JsonValue[],
  schema: RawSchema,
  path: string,
  old: JsonValue | undefined,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const { items, minItems, maxItems } = schema;
  if (items !== undefined) {
    value.forEach((item, index) => {
      causes.push(...validateValue(item, items, `${path}[${index}]`, correlate(item, schema, old)));
    });
  }
  if (minItems !== undefined && value.length < minItems) {
    causes.push(
      invalid(fieldOf(path), value.length, `${path} in body should have at least ${minItems} items`),
    );
  }
  if (maxItems !== undefined && value.length > maxItems) {
    causes.push(tooMany(fieldOf(path), value.length, maxItems));
  }
  return causes;
}

/** Returns the same element of the old list, if the list type defines which one that is. */
function correlate(item: JsonValue, schema: RawSchema, old: JsonValue | undefined): JsonValue | undefined {
  const keys = schema["x-kubernetes-list-map-keys"];
  if (schema["x-kubernetes-list-type"] !== "map" || keys === undefined || !Array.isArray(old))
    return undefined;
  if (!isJsonObject(item)) return undefined;
  return old.find(
    (candidate) =>
      isJsonObject(candidate) && keys.every((key) => isDeepStrictEqual(candidate[key], item[key])),
  );
}

function validateObject(
  value: JsonObject,
  schema: RawSchema,
  path: string,
  old: JsonValue | undefined,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
  const before = isJsonObject(old) ? old : {};
  const keys = Object.keys(value);
  if (minProperties !== undefined && keys.length < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`;
    causes.push(invalid(fieldOf(path), keys.length, detail));
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    causes.push(tooMany(fieldOf(path), keys.length, maxProperties));
  }
  for (const key of keys) {
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const member = declared ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    if (member === undefined) continue;
    const inner = path === "" ? key : `${path}.${key}`;
    const previous = Object.hasOwn(before, key) ? before[key] : undefined;
    causes.push(...validateValue(value[key] ?? null, member, inner, previous));
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) causes.push(required(path === "" ? key : `${path}.${key}`));
  }
  return causes;
}

function fieldOf(path: string): string {
  return path === "" ? unknownPath : path;
}
