import { goPrint, isJsonObject, type JsonValue } from "../json/json.ts";
import { type PathElement, printPathElement } from "./path-element.ts";
import type { FieldType, ListType, MapType, Scalar } from "./typed-schema.ts";
import { itemElement, shapeOf, TypedValueError } from "./typed-value.ts";

/**
 * Validates that a value fits its type, and that associative lists have no duplicate items (typed.AsTyped of
 * structured-merge-diff).
 *
 * @throws TypedValueError with all problems
 */
export function validateTyped(value: JsonValue, type: FieldType): void {
  const problems: string[] = [];
  validate(value, type, "", problems);
  if (problems.length > 0) throw new TypedValueError(problems);
}

function validate(value: JsonValue, type: FieldType, path: string, problems: string[]): void {
  const report = (problem: string) => problems.push(path === "" ? problem : `${path}: ${problem}`);
  switch (shapeOf(value, type)) {
    case "map":
      if (type.map !== undefined) validateMap(value, type.map, path, problems, report);
      return;
    case "list":
      if (type.list !== undefined) validateList(value, type.list, path, problems, report);
      return;
    default:
      validateScalar(value, type.scalar ?? "untyped", report);
  }
}

function validateMap(
  value: JsonValue,
  map: MapType,
  path: string,
  problems: string[],
  report: (problem: string) => void,
): void {
  if (value === null) return;
  if (!isJsonObject(value)) {
    report(`expected map, got &{${goPrint(value)}}`);
    return;
  }
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    const type = map.field(name) ?? map.element;
    if (type === undefined) {
      problems.push(`${path}.${name}: field not declared in schema`);
      // A real server stops in this map too, whose members it reads in no order.
      return;
    }
    validate(member, type, `${path}.${name}`, problems);
  }
}

function validateList(
  value: JsonValue,
  list: ListType,
  path: string,
  problems: string[],
  report: (problem: string) => void,
): void {
  if (value === null) return;
  if (!Array.isArray(value)) {
    report(`expected list, got &{${goPrint(value)}}`);
    return;
  }
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    let element: PathElement = `i:${index}`;
    if (list.associative) {
      try {
        element = itemElement(list, item);
      } catch (error) {
        if (!(error instanceof TypedValueError)) throw error;
        report(`element ${index}: ${error.message}`);
        return;
      }
      if (seen.has(element)) report(`duplicate entries for key ${printPathElement(element)}`);
      seen.add(element);
    }
    validate(item, list.element, `${path}${printPathElement(element)}`, problems);
  }
}

function validateScalar(value: JsonValue, scalar: Scalar, report: (problem: string) => void): void {
  if (value === null) return;
  switch (scalar) {
    case "numeric":
      if (typeof value !== "number") report(`expected numeric (int or float), got ${goTypeName(value)}`);
      return;
    case "string":
      if (typeof value !== "string") report(`expected string, got ${goValue(value)}`);
      return;
    case "boolean":
      if (typeof value !== "boolean") report(`expected boolean, got &{${goPrint(value)}}`);
      return;
    default:
      if (typeof value === "object") report(`expected any scalar, got &{${goPrint(value)}}`);
  }
}

/** Formats a value for a real server's messages: `&value.valueUnstructured{Value:"a"}`. */
function goValue(value: JsonValue): string {
  return `&value.valueUnstructured{Value:${goSyntax(value)}}`;
}

function goSyntax(value: JsonValue): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${goSyntax(value[name] ?? null)}`);
    return `map[string]interface {}{${members.join(", ")}}`;
  }
  return value === null ? "interface {}(nil)" : JSON.stringify(value);
}

function goTypeName(value: JsonValue): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : typeof value;
}
