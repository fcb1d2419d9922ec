import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { fail } from "../../lib/cel/functions.ts";
import { parseDuration, parseTimestamp } from "../../lib/cel/library/time.ts";
import {
  CelDuration,
  CelList,
  CelMap,
  type CelValue,
  equalValues,
  type ListSemantics,
} from "../../lib/cel/values.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { escapeName, unescapeName } from "./escape.ts";
import { isEmbedded, withResourceFields } from "./self-type.ts";

/**
 * Returns a value for rules, with the types of its schema (UnstructuredToVal of
 * k8s.io/apiserver/pkg/cel/common). Converts inner values when they are read.
 *
 * @throws CelEvaluationError for data that does not match the schema
 */
export function selfValue(value: JsonValue, schema: RawSchema): CelValue {
  if (value === null) {
    return schema.nullable === true ? null : fail("invalid data, got null for schema with nullable=false");
  }
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString(value);
  switch (schema.type) {
    case "object":
      return isJsonObject(value)
        ? new SelfMap(value, isEmbedded(schema) ? withResourceFields(schema) : schema)
        : fail("invalid data, expected a map for the provided schema with type=object");
    case "array":
      return Array.isArray(value)
        ? selfList(value, schema)
        : fail("invalid data, expected an array for the provided schema with type=array");
    case "string":
      return typeof value === "string" ? selfText(value, schema.format) : unexpected("string", value);
    case "number":
      return typeof value === "number" ? value : unexpected("float", value);
    case "integer":
      return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : unexpected("int", value);
    case "boolean":
      return typeof value === "boolean" ? value : unexpected("bool", value);
    default:
      return fail(
        `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ""}`,
      );
  }
}

function unexpected(expected: string, value: JsonValue): never {
  const actual = { number: "float64", boolean: "bool", string: "string", object: "map[string]interface {}" };
  return fail(`invalid data, expected ${expected}, got ${actual[typeof value as keyof typeof actual]}`);
}

function intOrString(value: JsonValue): CelValue {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  return fail("invalid data, expected XIntOrString value to be either a string or integer");
}

function selfText(text: string, format: string | undefined): CelValue {
  switch (format) {
    case "duration":
      return parseDuration(text) ?? longDuration(text);
    case "date":
      return parseTimestamp(`${text}T00:00:00Z`) ?? fail(`Invalid date formatted string ${text}`);
    case "date-time":
      return parseTimestamp(text.toUpperCase()) ?? fail(`Invalid date-time formatted string ${text}`);
    case "byte":
      return Buffer.from(text, "base64");
    default:
      return text;
  }
}

const longUnits: Record<string, bigint> = {
  d: 86_400n,
  day: 86_400n,
  days: 86_400n,
  w: 604_800n,
  week: 604_800n,
  weeks: 604_800n,
};

/** Parses `3 d` or `1w`: durations that the format `duration` allows and Go does not. */
function longDuration(text: string): CelDuration {
  const match = /^(\d+)\s*(d|days?|w|weeks?)$/.exec(text);
  if (match === null) return fail(`Invalid duration ${text}: unable to parse ${text} as duration`);
  return new CelDuration(BigInt(match[1] ?? 0) * (longUnits[match[2] ?? ""] ?? 0n) * 1_000_000_000n);
}

/** An object with known fields, or a map. Fields have their names in expressions. */
class SelfMap extends CelMap {
  readonly #members: JsonObject;
  readonly #schema: RawSchema;

  constructor(members: JsonObject, schema: RawSchema) {
    super();
    this.#members = members;
    this.#schema = schema;
  }

  get size(): number {
    return Object.keys(this.#members).length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return fail("no such overload");
    const isObject = this.#schema.properties !== undefined;
    const name = isObject ? unescapeName(key) : key;
    if (name === undefined || !Object.hasOwn(this.#members, name)) return undefined;
    const value = this.#members[name] as JsonValue;
    const schema = this.#memberSchema(name);
    // A null field counts as missing. A null entry of a map is present.
    return schema === undefined || (isObject && value === null) ? undefined : selfValue(value, schema);
  }

  *keys(): Generator<CelValue> {
    const isObject = this.#schema.properties !== undefined;
    for (const name of Object.keys(this.#members)) {
      if (this.#memberSchema(name) !== undefined) yield isObject ? (escapeName(name) ?? name) : name;
    }
  }

  #memberSchema(name: string): RawSchema | undefined {
    const { properties, additionalProperties } = this.#schema;
    if (properties !== undefined) return Object.hasOwn(properties, name) ? properties[name] : undefined;
    return typeof additionalProperties === "object" ? additionalProperties : undefined;
  }
}

function selfList(value: readonly JsonValue[], schema: RawSchema): CelList {
  const { items } = schema;
  if (items === undefined) return fail("invalid array type, expected Items with a non-empty Schema");
  const at = (index: number) => selfValue(value[index] as JsonValue, items);
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return new CelList(value.length, at, setSemantics);
    case "map":
      return new CelList(value.length, at, mapSemantics(schema["x-kubernetes-list-map-keys"] ?? []));
    default:
      return new CelList(value.length, at);
  }
}

/** Order does not matter, and adding a present element changes nothing. */
const setSemantics: ListSemantics = {
  equals: (a, b) => [...b].every((element) => includes(a, element)),
  join: (a, b) => made([...a, ...[...b].filter((element) => !includes(a, element))], setSemantics),
};

function includes(list: CelList, value: CelValue): boolean {
  for (const element of list) if (equalValues(element, value)) return true;
  return false;
}

/** Elements are found by their keys. An added element replaces the one with the same keys. */
function mapSemantics(keys: readonly string[]): ListSemantics {
  const identity = (element: CelValue) => {
    const parts = keys.map((key) => {
      const part = element instanceof CelMap ? element.get(escapeName(key) ?? key) : undefined;
      return typeof part === "bigint" ? `${part}n` : part;
    });
    return JSON.stringify(parts);
  };
  const semantics: ListSemantics = {
    equals(a, b) {
      const byKeys = new Map([...a].map((element) => [identity(element), element]));
      return [...b].every((element) => {
        const same = byKeys.get(identity(element));
        return same !== undefined && equalValues(same, element);
      });
    },
    join(a, b) {
      const joined = new Map([...a, ...b].map((element) => [identity(element), element]));
      return made([...joined.values()], semantics);
    },
  };
  return semantics;
}

function made(values: readonly CelValue[], semantics: ListSemantics): CelList {
  return new CelList(values.length, (index) => values[index] as CelValue, semantics);
}
