import type { JsonValue } from "../json/json.ts";
import { isJsonObject } from "../json/json.ts";
import type { Filter, Step } from "./jsonpath-parser.ts";
import { parseJsonPath } from "./jsonpath-parser.ts";

/** A parsed path. Returns the selected values in document order. Missing keys select nothing. */
export type JsonPath = (document: JsonValue) => JsonValue[];

/**
 * Compiles a JSONPath of printer columns, in the dialect of client-go (k8s.io/client-go/util/jsonpath):
 * `.spec.size`, `.status.conditions[?(@.type=="Ready")].status`, `.metadata.labels['a\.b']`, `[0]`, `[-1]`,
 * `[1:3]`, `[0,2]`, `[*]`, `..name`.
 *
 * @throws Error if the path is invalid
 */
export function compileJsonPath(text: string): JsonPath {
  const steps = parseJsonPath(text);
  return (document) => walk([document], steps);
}

function walk(start: JsonValue[], steps: Step[]): JsonValue[] {
  let values = start;
  for (const step of steps) values = values.flatMap((value) => follow(value, step));
  return values;
}

function follow(value: JsonValue, step: Step): JsonValue[] {
  switch (step.type) {
    case "field":
      return isJsonObject(value) && Object.hasOwn(value, step.name) ? [value[step.name] ?? null] : [];
    case "wildcard":
      return children(value);
    case "recursive":
      return [value, ...children(value).flatMap((child) => follow(child, step))];
    case "slice":
      return Array.isArray(value) ? slice(value, step.start, step.end, step.step) : [];
    case "filter":
      return (Array.isArray(value) ? value : []).filter((item) => matches(item, step.filter));
    case "union":
      return step.branches.flatMap((branch) => walk([value], branch));
  }
}

function children(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value).map((child) => child ?? null) : [];
}

/** Returns a slice like Python: negative positions count from the end, and the end is exclusive. */
function slice(
  list: JsonValue[],
  start: number | undefined,
  end: number | undefined,
  step: number,
): JsonValue[] {
  const from = start === undefined ? 0 : start < 0 ? start + list.length : start;
  const to = Math.min(end === undefined ? list.length : end < 0 ? end + list.length : end, list.length);
  const picked: JsonValue[] = [];
  for (let at = from; at >= 0 && at < to; at += step) picked.push(list[at] ?? null);
  return picked;
}

function matches(item: JsonValue, { left, operator, right }: Filter): boolean {
  const a = operand(item, left);
  if (operator === "exists") return a.length > 0;
  const b = right === undefined ? [] : operand(item, right);
  if (a.length !== 1 || b.length !== 1) return false;
  const [x, y] = [a[0] ?? null, b[0] ?? null];
  switch (operator) {
    case "==":
      return x === y;
    case "!=":
      return x !== y;
    default:
      return compare(x, y, operator);
  }
}

function operand(item: JsonValue, side: Filter["left"]): JsonValue[] {
  return "literal" in side ? [side.literal] : walk([item], side.path);
}

function compare(x: JsonValue, y: JsonValue, operator: "<" | "<=" | ">" | ">="): boolean {
  const comparable =
    (typeof x === "number" && typeof y === "number") || (typeof x === "string" && typeof y === "string");
  if (!comparable) return false;
  switch (operator) {
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
  }
}
