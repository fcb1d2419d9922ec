import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";

/**
 * A step of a field path in the canonical form of FieldsV1, so that equal steps have equal texts
 * (fieldpath.PathElement of structured-merge-diff):
 * - `f:<name>` a member
 * - `k:{"name":"a"}` the list item with these keys
 * - `v:"a"` the set item with this value
 * - `i:0` an index
 */
export type PathElement = string;

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the step of a set item. @param value a scalar */
export function valueElement(value: JsonValue): PathElement {
  return `v:${json(value)}`;
}

/** Returns the step of a list item. @param keys sorted by name */
export function keyElement(keys: readonly (readonly [name: string, value: JsonValue])[]): PathElement {
  return `k:{${keys.map(([name, value]) => `${JSON.stringify(name)}:${json(value)}`).join(",")}}`;
}

/** Returns the name of a field step, or undefined for other steps. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** The text is not a path element. */
export class PathElementError extends Error {
  override readonly name = "PathElementError";
}

/**
 * Parses a step of FieldsV1 into its canonical form. Returns undefined for an unknown type of step, which a
 * later version may define. @throws PathElementError
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.startsWith("f:")) return text;
  if (text.length < 2) throw new PathElementError("key must be 2 characters long:");
  if (text[1] !== ":") throw new PathElementError(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case "v":
      return `v:${json(parse(rest))}`;
    case "k": {
      const keys = parse(rest);
      if (!isJsonObject(keys)) throw new PathElementError(`a key has to be an object: ${text}`);
      return keyElement(sortedMembers(keys));
    }
    case "i":
      if (!/^[+-]?\d+$/.test(rest)) {
        throw new PathElementError(`strconv.Atoi: parsing ${JSON.stringify(rest)}: invalid syntax`);
      }
      return `i:${Number(rest)}`;
    default:
      return undefined;
  }
}

/** Formats a step for messages: `.name`, `[name="a",port=80]`, `[="a"]`, `[0]`. */
export function printPathElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case "f":
      return `.${rest}`;
    case "k": {
      const keys = sortedMembers(JSON.parse(rest) as JsonObject);
      return `[${keys.map(([name, value]) => `${name}=${printValue(value)}`).join(",")}]`;
    }
    case "v":
      return `[=${printValue(JSON.parse(rest) as JsonValue)}]`;
    default:
      return `[${rest}]`;
  }
}

export function printPath(path: readonly PathElement[]): string {
  return path.map(printPathElement).join("");
}

/** Sorts steps in the order of FieldsV1: fields by name, then keys, values and indexes by content. */
export function sortPathElements(elements: PathElement[]): PathElement[] {
  if (elements.length < 2) return elements;
  if (elements.every((element) => element.startsWith("f:"))) return elements.sort();
  const keyed = elements.map((element): [PathElement, unknown] => [element, sortKey(element)]);
  keyed.sort(([a, left], [b, right]) => {
    const byType = order.indexOf(a.slice(0, 1)) - order.indexOf(b.slice(0, 1));
    if (byType !== 0) return byType;
    if (Array.isArray(left) && Array.isArray(right)) return compareKeys(left, right);
    return compareValues(left as JsonValue, right as JsonValue);
  });
  return keyed.map(([element]) => element);
}

const order = "fkvi";

function sortKey(element: PathElement): unknown {
  const rest = element.slice(2);
  if (element.startsWith("f:")) return rest;
  const value = JSON.parse(rest) as JsonValue;
  return element.startsWith("k:") ? sortedMembers(value as JsonObject) : value;
}

function compareKeys(left: [string, JsonValue][], right: [string, JsonValue][]): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (name !== other[0]) return name < other[0] ? -1 : 1;
    const byValue = compareValues(value, other[1]);
    if (byValue !== 0) return byValue;
  }
  return left.length - right.length;
}

const typeOrder = ["number", "string", "boolean", "object"];

/** Orders numbers before texts, then booleans, then all others (value.Compare). */
function compareValues(a: JsonValue, b: JsonValue): number {
  const byType = typeOrder.indexOf(typeof a) - typeOrder.indexOf(typeof b);
  if (byType !== 0) return byType;
  if (typeof a === "object" || typeof b === "object") {
    return compareValues(JSON.stringify(a), JSON.stringify(b));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortedMembers(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object)
    .map(([name, value]): [string, JsonValue] => [name, value ?? null])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new PathElementError(`parsing key as path element: ${text} is no JSON`);
  }
}

/** Formats JSON like Go: members sorted, and HTML characters escaped. */
function json(value: JsonValue): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = isJsonObject(value)
    ? `{${sortedMembers(value)
        .map(([name, member]) => `${JSON.stringify(name)}:${json(member)}`)
        .join(",")}}`
    : JSON.stringify(value);
  return text.replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function printValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(",")}]`;
  if (isJsonObject(value)) {
    return sortedMembers(value)
      .map(([name, member]) => `${name}=${printValue(member)}`)
      .join("");
  }
  return JSON.stringify(value);
}
