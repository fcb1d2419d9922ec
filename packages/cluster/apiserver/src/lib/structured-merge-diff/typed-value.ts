import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { keyElement, type PathElement, valueElement } from "./path-element.ts";
import type { FieldType, ListType } from "./typed-schema.ts";

/** The value does not fit its type. The messages are those of structured-merge-diff. */
export class TypedValueError extends Error {
  override readonly name = "TypedValueError";

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1
        ? (problems[0] ?? "")
        : ["errors:", ...problems.map((text) => `  ${text}`)].join("\n"),
    );
  }
}

/** An object with the type of its kind in the object's version. */
export interface TypedObject {
  readonly value: JsonObject;
  readonly type: FieldType;
  readonly apiVersion: string;
}

/** Converts an object to another version of its kind. Returns undefined when that version does not exist. */
export type Convert = (object: TypedObject, apiVersion: string) => TypedObject | undefined;

type Shape = "map" | "scalar" | "list";

/**
 * Returns the shape of a value, among those that its type allows (deduceAtom and handleAtom). For null and
 * for a value that fits none, returns the first shape of the type.
 */
export function shapeOf(value: JsonValue | undefined, type: FieldType): Shape {
  if (Array.isArray(value)) {
    if (type.list !== undefined) return "list";
  } else if (isJsonObject(value)) {
    if (type.map !== undefined) return "map";
  } else if (value !== null && value !== undefined && type.scalar !== undefined) return "scalar";
  return type.map !== undefined ? "map" : type.scalar !== undefined ? "scalar" : "list";
}

export function isEmptyObject(value: JsonObject): boolean {
  for (const name in value) if (value[name] !== undefined) return false;
  return true;
}

/** Returns the path element of an item in an associative list. @throws TypedValueError */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw new TypedValueError(["associative list with keys may not have a null element"]);
  if (!isJsonObject(item)) {
    throw new TypedValueError(["associative list with keys may not have non-map elements"]);
  }
  const keys: [string, JsonValue][] = [];
  for (const { name, default: byDefault } of list.sortedKeys) {
    const value = item[name] ?? byDefault;
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length > 0) return keyElement(keys);
  const names = list.keys.map((name) => JSON.stringify(name)).join(" ");
  throw new TypedValueError([
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  ]);
}

function setElement(item: JsonValue): PathElement {
  if (item === null) {
    throw new TypedValueError(["associative list without keys has an element that's an explicit null"]);
  }
  if (Array.isArray(item)) {
    throw new TypedValueError(["not supported: associative list with lists as elements"]);
  }
  if (isJsonObject(item)) {
    throw new TypedValueError(["associative list without keys has an element that's a map type"]);
  }
  return valueElement(item);
}

/** Compares JSON values deeply. An undefined member counts as missing. */
export function equalValues(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalValues(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  let count = 0;
  for (const name of Object.keys(a)) {
    if (a[name] === undefined) continue;
    count++;
    if (!Object.hasOwn(b, name) || !equalValues(a[name], b[name])) return false;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined) count--;
  return count === 0;
}
