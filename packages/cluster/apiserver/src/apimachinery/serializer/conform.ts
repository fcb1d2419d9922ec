import { formatQuantity, parseQuantity } from "@operator-path/client";
import { omittedZeros } from "../../generated/omitted-zeros.ts";
import { isJsonObject, type JsonObject, type JsonValue, setMember } from "../../lib/json/json.ts";
import type { Schema } from "../schema/schema.ts";
import { goFieldPath, goType, jsonKind, structName } from "./go-type.ts";
import { normalizeTime } from "./time.ts";

/** A value has a type that the schema does not allow. The message is that of Go's encoding/json. */
class TypeMismatchError extends Error {
  override readonly name = "TypeMismatchError";
}

interface ConformOptions {
  /** Names that occur more than once in an object of the input. */
  duplicates?: WeakMap<object, string[]>;
  /** Called for each unknown or duplicate field, in the order of the text: `unknown field "spec.foo"`. */
  report?: (problem: string) => void;
  /** Reports wrong types with the messages of runtime.DefaultUnstructuredConverter, not of encoding/json. */
  unstructured?: boolean | undefined;
}

/** The current place in the object. Go's messages and field paths write it differently. */
interface Position {
  path: string;
  goPath: string;
  struct: string | undefined;
  /**
   * The schema of the enclosing object, because some definitions refer to it in a way that OpenAPI cannot
   * express.
   */
  parent: Schema | undefined;
  unstructured: boolean;
}

/**
 * Converts a JSON value as decoding into a Go struct does. It drops unknown members, treats null as missing
 * and removes empty optional lists and maps. It adds structs that are not pointers, and normalizes times and
 * quantities. The value is not changed, and the result shares no objects with it.
 *
 * @throws TypeMismatchError, QuantityError or TimeError for the first wrong value in the order of the text
 */
export function conform(value: JsonObject, schema: Schema, options: ConformOptions = {}): JsonObject {
  return conformObject(value, schema, options, {
    path: "",
    goPath: "",
    struct: schema.ref === undefined ? undefined : structName(schema.ref),
    parent: undefined,
    unstructured: options.unstructured ?? false,
  });
}

function conformObject(
  value: JsonObject,
  schema: Schema,
  options: ConformOptions,
  position: Position,
): JsonObject {
  const properties = schema.properties ?? {};
  const result: JsonObject = {};
  const repeated = options.duplicates?.get(value);
  const struct = schema.ref === undefined ? position.struct : structName(schema.ref);
  for (const key of Object.keys(value)) {
    const member = value[key];
    const path = join(position.path, key);
    if (repeated?.includes(key)) options.report?.(`duplicate field ${JSON.stringify(path)}`);
    const property = properties[key];
    if (property === undefined) {
      options.report?.(`unknown field ${JSON.stringify(path)}`);
      continue;
    }
    if (member === undefined || member === null) continue;
    const conformed = conformValue(member, property, options, {
      path,
      goPath: goFieldPath(position.goPath, struct, key),
      struct,
      parent: schema,
      unstructured: position.unstructured,
    });
    // `omitempty`: empty values are not written.
    const isEmpty =
      isEmptyCollection(conformed, property) ||
      (isZero(property.default) && conformed === property.default) ||
      (isZero(conformed) && omitsZero(schema, key));
    // An empty list of managers has a meaning: it resets them.
    if (isEmpty && !isAlwaysWritten(schema, key) && key !== "managedFields") continue;
    setMember(result, key, conformed);
  }
  addStructs(result, schema);
  return result;
}

/**
 * Adds structs that are not pointers, which Go always writes, at least as `{}`, and required scalars as "" or
 * 0. The schema marks them with a default.
 */
function addStructs(result: JsonObject, schema: Schema): void {
  for (const { key, value } of alwaysThere(schema)) {
    if (result[key] !== undefined) continue;
    result[key] = isJsonObject(value) ? copyOf(value) : value;
  }
}

/** Copies objects inside objects, and nothing else. */
function copyOf(value: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key in value) {
    const member = value[key] as JsonValue;
    copy[key] = isJsonObject(member) ? copyOf(member) : member;
  }
  return copy;
}

interface AlwaysThere {
  key: string;
  value: JsonValue;
}

/** Cached by schema, because every object needs it and most schemas have none. */
const known = new WeakMap<Schema, readonly AlwaysThere[]>();

function alwaysThere(schema: Schema): readonly AlwaysThere[] {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const members = Object.entries(schema.properties ?? {}).flatMap(([key, property]): AlwaysThere[] => {
    if (isZero(property.default) && isAlwaysWritten(schema, key)) return [{ key, value: property.default }];
    if (isWrittenTime(schema, property)) return [{ key, value: null }];
    if (property.properties === undefined) return [];
    if (!isJsonObject(property.default) || Object.keys(property.default).length > 0) return [];
    const value: JsonObject = {};
    addStructs(value, property);
    return [{ key, value }];
  });
  known.set(schema, members);
  return members;
}

/** Optional numbers that Go writes even if they are zero. OpenAPI does not distinguish them. */
const writtenZeros: Record<string, readonly string[]> = {
  StatefulSetStatus: ["availableReplicas"],
  PodDisruptionBudgetStatus: ["currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods"],
};

function isAlwaysWritten({ ref, required }: Schema, key: string): boolean {
  if (required?.includes(key)) return true;
  return ref !== undefined && (writtenZeros[ref.slice(ref.lastIndexOf(".") + 1)]?.includes(key) ?? false);
}

function isEmptyCollection(value: JsonValue, schema: Schema): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && isMap(schema) && Object.keys(value).length === 0;
}

function isMap(schema: Schema): boolean {
  return schema.type === "object" && schema.additionalProperties !== undefined;
}

function conformValue(
  value: JsonValue,
  schema: Schema,
  options: ConformOptions,
  position: Position,
): JsonValue {
  if (schema.ref?.endsWith(".resource.Quantity")) return conformQuantity(value);
  if (schema.ref?.endsWith(".intstr.IntOrString")) return conformIntOrString(value, schema, position);
  if (
    schema.ref?.endsWith(".v1.JSONSchemaPropsOrArray") ||
    schema.ref?.endsWith(".v1.JSONSchemaPropsOrBool")
  ) {
    // The schema of these fields is empty. They have that of the JSONSchemaProps around them.
    if (!isJsonObject(value) || position.parent === undefined) return value;
    return conformObject(value, position.parent, options, position);
  }
  switch (schema.type) {
    case "string":
      return conformString(value, schema, position);
    case "integer":
    case "number":
      return conformNumber(value, schema, position);
    case "boolean":
      if (typeof value !== "boolean") throw mismatch(value, schema, position);
      return value;
    case "array": {
      if (!Array.isArray(value)) throw mismatch(value, schema, position);
      const { items } = schema;
      if (items === undefined) return structuredClone(value);
      return value.map((item, index) => {
        if (item === null) return zeroValue(items);
        return conformValue(item, items, options, {
          ...position,
          path: `${position.path}[${index}]`,
          parent: schema,
        });
      });
    }
    case "object":
      if (schema.properties !== undefined) {
        if (!isJsonObject(value)) throw mismatch(value, schema, position);
        return conformObject(value, schema, options, position);
      }
      if (typeof schema.additionalProperties === "object")
        return conformMap(value, schema, options, position);
      return structuredClone(value);
    default:
      return structuredClone(value);
  }
}

function conformMap(
  value: JsonValue,
  schema: Schema,
  options: ConformOptions,
  position: Position,
): JsonObject {
  const element = schema.additionalProperties;
  if (!isJsonObject(value) || typeof element !== "object") throw mismatch(value, schema, position);
  const result: JsonObject = {};
  const repeated = options.duplicates?.get(value);
  for (const key of Object.keys(value)) {
    const path = join(position.path, key);
    if (repeated?.includes(key)) options.report?.(`duplicate field ${JSON.stringify(path)}`);
    const member = value[key] ?? null;
    const conformed =
      member === null
        ? zeroValue(element)
        : conformValue(member, element, options, { ...position, path, parent: schema });
    setMember(result, key, conformed);
  }
  return result;
}

function conformString(value: JsonValue, schema: Schema, position: Position): JsonValue {
  if (typeof value !== "string") throw mismatch(value, schema, position);
  if (schema.format === "date-time") {
    return normalizeTime(value, schema.ref?.endsWith(".MicroTime") ? "microseconds" : "seconds");
  }
  if (schema.format === "byte") checkBase64(value);
  return value;
}

const integerRange: Record<string, number> = { int32: 2 ** 31, int64: 2 ** 63 };

function conformNumber(value: JsonValue, schema: Schema, position: Position): JsonValue {
  if (typeof value !== "number") throw mismatch(value, schema, position);
  if (schema.type === "number") return value;
  const range = integerRange[schema.format ?? "int64"] ?? 2 ** 63;
  if (!Number.isInteger(value) || value >= range || value < -range) {
    throw mismatch(value, schema, position, `number ${value}`);
  }
  return value;
}

function conformQuantity(value: JsonValue): string {
  return formatQuantity(parseQuantity(typeof value === "string" ? value : JSON.stringify(value)));
}

function conformIntOrString(value: JsonValue, schema: Schema, position: Position): JsonValue {
  if (typeof value === "string") return value;
  return conformNumber(value, { ...schema, type: "integer", format: "int32" }, position);
}

/** Returns Go's value for a JSON null in a list or a map. */
function zeroValue(schema: Schema): JsonValue {
  switch (schema.type) {
    case "string":
      return "";
    case "integer":
    case "number":
      return 0;
    case "boolean":
      return false;
    case "object": {
      const value: JsonObject = {};
      addStructs(value, schema);
      return value;
    }
    default:
      return schema.ref?.endsWith(".resource.Quantity") ? "0" : null;
  }
}

function mismatch(
  value: JsonValue,
  schema: Schema,
  position: Position,
  what = jsonKind(value),
): TypeMismatchError {
  if (position.unstructured) return new TypeMismatchError(unstructuredMismatch(value, schema));
  // A string for bytes is reported as a text, everything else by its type.
  const type = schema.format === "date-time" ? "string" : goType(schema);
  return new TypeMismatchError(
    `json: cannot unmarshal ${what} into Go struct field ${position.struct ?? ""}.${position.goPath} of type ${type}`,
  );
}

function unstructuredMismatch(value: JsonValue, schema: Schema): string {
  const integer = typeof value === "number" && Number.isInteger(value);
  const given =
    typeof value === "number"
      ? integer
        ? "int64"
        : "float64"
      : isJsonObject(value)
        ? "map"
        : jsonKind(value);
  const type = goType(schema);
  if (schema.ref?.endsWith(".intstr.IntOrString")) {
    return `json: cannot unmarshal ${jsonKind(value)} into Go value of type int32`;
  }
  if (type.startsWith("[]")) return `cannot restore slice from ${given}`;
  if (isMap(schema)) return `cannot restore map from ${given}`;
  if (schema.properties !== undefined) return `cannot restore struct from: ${given}`;
  // Go converts between numbers, and from an integer to a string. Its message says that it has tried.
  const convertible = type === "string" ? given === "int64" : type !== "bool" && typeof value === "number";
  return convertible ? `cannot convert ${given} to ${type}` : `unrecognized type: ${type}`;
}

function checkBase64(text: string): void {
  const clean = text.replace(/[\r\n]/g, "");
  const bad = /[^A-Za-z0-9+/=]/.exec(clean);
  const body = clean.replace(/={0,2}$/, "");
  if (bad === null && clean.length % 4 === 0 && !body.includes("=")) return;
  const at =
    bad !== null
      ? text.indexOf(bad[0])
      : body.includes("=")
        ? body.indexOf("=")
        : clean.length - (clean.length % 4);
  throw new TypeMismatchError(`illegal base64 data at input byte ${at}`);
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

// What encoding/json writes for an unset field depends on its Go type, which OpenAPI does not contain.

const structsWithTimes = /\.(\w+Condition|ContainerStateRunning|ContainerStateTerminated)$/;

/** Returns whether a field is a time that is not a pointer. Unset, it is written as null. */
function isWrittenTime({ ref }: Schema, property: Schema): boolean {
  return property.format === "date-time" && ref !== undefined && structsWithTimes.test(ref);
}

function isZero(value: JsonValue | undefined): value is "" | 0 | false {
  return value === "" || value === 0 || value === false;
}

const omitted = new Map<string, Set<string>>();

/** Returns whether a field has `omitempty` and is not a pointer. */
function omitsZero({ ref = "" }: Schema, name: string): boolean {
  let names = omitted.get(ref);
  if (names === undefined) {
    names = new Set(Object.hasOwn(omittedZeros, ref) ? omittedZeros[ref]?.split(" ") : []);
    omitted.set(ref, names);
  }
  return names.has(name);
}
