import type { JsonObject, JsonValue } from "../json/json.ts";
import { type ProtobufField, readProtobufTypes } from "./types.ts";
import { ProtobufError, readFields } from "./wire.ts";

/** The first bytes of every body (k8s.io/apimachinery/pkg/runtime/serializer/protobuf). */
const magic = Buffer.from("k8s\0");
/** The deepest nesting. No type of Kubernetes is deeper, so more is an attack on the stack. */
const maxDepth = 64;

/**
 * Decodes a body of the content type application/vnd.kubernetes.protobuf into the JSON of the same Go object.
 *
 * @throws ProtobufError
 */
export function decodeProtobuf(bytes: Buffer): JsonObject {
  if (!bytes.subarray(0, 4).equals(magic)) {
    throw new ProtobufError(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  }
  let apiVersion = "";
  let kind = "";
  let raw: Buffer = Buffer.alloc(0);
  // runtime.Unknown: typeMeta, raw, contentEncoding, contentType.
  for (const { number, value } of readFields(bytes.subarray(4))) {
    if (number === 1) {
      for (const field of readFields(asBytes(value))) {
        if (field.number === 1) apiVersion = asBytes(field.value).toString();
        if (field.number === 2) kind = asBytes(field.value).toString();
      }
    } else if (number === 2) {
      raw = asBytes(value);
    }
  }
  const { kinds } = readProtobufTypes();
  const key = `${apiVersion}/${kind}`;
  // Options are registered in every group. Those of the core group are the same.
  const message = Object.hasOwn(kinds, key)
    ? kinds[key]
    : kind.endsWith("Options")
      ? kinds[`v1/${kind}`]
      : undefined;
  if (message === undefined) {
    throw new ProtobufError(
      `no protobuf form of kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)} is known: send JSON`,
    );
  }
  return { kind, apiVersion, ...decodeMessage(message, raw, 0) };
}

function decodeMessage(name: string, bytes: Buffer, depth: number): JsonObject {
  if (depth > maxDepth) throw new ProtobufError("message nests too deeply");
  const fields = readProtobufTypes().messages[name] ?? [];
  const byNumber = new Map(fields.map((field) => [Number(field.number), field]));
  const object: JsonObject = {};
  for (const { number, value } of readFields(bytes)) {
    const field = byNumber.get(number);
    // Like a real server, drops fields of newer versions.
    if (field !== undefined) put(object, field, value, depth);
  }
  return object;
}

function put(object: JsonObject, field: ProtobufField, value: bigint | Buffer, depth: number): void {
  const { name, type } = field;
  if (field.map) {
    const map = (object[name] ?? {}) as JsonObject;
    object[name] = map;
    const [key, entry] = decodeEntry(type, asBytes(value), depth);
    define(map, key, entry);
    return;
  }
  const decoded = decodeValue(type, value, depth);
  if (field.repeated) {
    object[name] = [...((object[name] ?? []) as JsonValue[]), decoded];
  } else if (field.inline) {
    Object.assign(object, decoded);
  } else if (!(field.omitZero && isZero(decoded))) {
    object[name] = decoded;
  }
}

/** Sets a key of a map. It may be any text, including `__proto__`. */
function define(map: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

function isZero(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false || value === null;
}

function decodeEntry(type: string, bytes: Buffer, depth: number): [string, JsonValue] {
  let key = "";
  let value: bigint | Buffer | undefined;
  for (const field of readFields(bytes)) {
    if (field.number === 1) key = asBytes(field.value).toString();
    if (field.number === 2) value = field.value;
  }
  return [key, decodeValue(type, value ?? Buffer.alloc(0), depth)];
}

function decodeValue(type: string, value: bigint | Buffer, depth: number): JsonValue {
  switch (type) {
    case "string":
      return asBytes(value).toString();
    case "bytes":
      return asBytes(value).toString("base64");
    case "bool":
      return asInteger(value) !== 0n;
    case "int":
      return Number(BigInt.asIntN(64, asInteger(value)));
    case "double":
      return asBytes(value).readDoubleLE();
    case "time":
      return decodeTime(asBytes(value), false);
    case "microTime":
      return decodeTime(asBytes(value), true);
    case "quantity":
      return first(asBytes(value))?.toString() ?? "0";
    case "duration":
      return `${BigInt.asIntN(64, integerField(asBytes(value), 1))}ns`;
    case "intOrString":
      return decodeIntOrString(asBytes(value));
    case "raw":
      return decodeRaw(asBytes(value));
  }
  if (type.startsWith("items:")) {
    return [...readFields(asBytes(value))].map((field) => decodeValue(type.slice(6), field.value, depth + 1));
  }
  return decodeMessage(type, asBytes(value), depth + 1);
}

/**
 * Decodes seconds and nanoseconds since the epoch. An empty message is Go's zero time, which JSON writes as
 * null.
 */
function decodeTime(bytes: Buffer, micro: boolean): JsonValue {
  if (bytes.length === 0) return null;
  const milliseconds = Number(BigInt.asIntN(64, integerField(bytes, 1))) * 1000;
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) throw new ProtobufError("time out of range");
  const text = date.toISOString().slice(0, 19);
  const nanos = Number(integerField(bytes, 2));
  return micro ? `${text}.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z` : `${text}Z`;
}

function decodeIntOrString(bytes: Buffer): JsonValue {
  let isString = false;
  let number = 0;
  let text = "";
  for (const { number: field, value } of readFields(bytes)) {
    if (field === 1) isString = asInteger(value) === 1n;
    if (field === 2) number = Number(BigInt.asIntN(64, asInteger(value)));
    if (field === 3) text = asBytes(value).toString();
  }
  return isString ? text : number;
}

function decodeRaw(bytes: Buffer): JsonValue {
  const raw = first(bytes);
  if (raw === undefined || raw.length === 0) return null;
  try {
    return JSON.parse(raw.toString()) as JsonValue;
  } catch {
    throw new ProtobufError("an embedded object is not JSON");
  }
}

function first(bytes: Buffer): Buffer | undefined {
  for (const { number, value } of readFields(bytes)) if (number === 1) return asBytes(value);
  return undefined;
}

function integerField(bytes: Buffer, wanted: number): bigint {
  for (const { number, value } of readFields(bytes)) if (number === wanted) return asInteger(value);
  return 0n;
}

function asBytes(value: bigint | Buffer): Buffer {
  if (typeof value === "bigint") throw new ProtobufError("wrong wireType = 0");
  return value;
}

function asInteger(value: bigint | Buffer): bigint {
  if (typeof value !== "bigint") throw new ProtobufError("wrong wireType = 2");
  return value;
}
