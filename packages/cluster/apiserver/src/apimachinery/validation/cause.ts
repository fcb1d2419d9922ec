import { goNumber, isJsonObject, type JsonValue, sortedJson } from "../../lib/json/json.ts";
import type { StatusCause } from "../errors.ts";

// Constructors for causes, with the names and messages of k8s.io/apimachinery/pkg/util/validation/field.

export function required(field: string, detail = ""): StatusCause {
  return { reason: "FieldValueRequired", message: withDetail("Required value", detail), field };
}

export function forbidden(field: string, detail: string): StatusCause {
  return { reason: "FieldValueForbidden", message: withDetail("Forbidden", detail), field };
}

export function invalid(field: string, value: unknown, detail: string): StatusCause {
  return { reason: "FieldValueInvalid", message: withDetail(`Invalid value: ${show(value)}`, detail), field };
}

/** Returns the cause for invalid labels. Go shows the keys of a map in order. */
export function invalidLabels(field: string, labels: JsonValue | undefined, detail: string): StatusCause {
  return invalid(field, isJsonObject(labels) ? JSON.parse(sortedJson(labels)) : null, detail);
}

/** Returns the cause for an invalid value that the message does not show. */
export function invalidWithoutValue(field: string, detail: string): StatusCause {
  return { reason: "FieldValueInvalid", message: withDetail("Invalid value", detail), field };
}

export function typeInvalid(field: string, value: unknown, detail: string): StatusCause {
  return { ...invalid(field, value, detail), reason: "FieldValueTypeInvalid" };
}

export function duplicate(field: string, value: unknown): StatusCause {
  return { reason: "FieldValueDuplicate", message: `Duplicate value: ${show(value)}`, field };
}

export function notFound(field: string, value: unknown): StatusCause {
  return { reason: "FieldValueNotFound", message: `Not found: ${show(value)}`, field };
}

/**
 * Returns the cause for an unsupported value.
 * @param supported in the API's order: for built-in kinds alphabetically
 */
export function notSupported(field: string, value: unknown, supported: readonly string[]): StatusCause {
  const list = supported.map((name) => JSON.stringify(name)).join(", ");
  const message = withDetail(
    `Unsupported value: ${show(value)}`,
    list === "" ? "" : `supported values: ${list}`,
  );
  return { reason: "FieldValueNotSupported", message, field };
}

export function tooLong(field: string, maximum: number, unit = "bytes"): StatusCause {
  return { reason: "FieldValueTooLong", message: `Too long: may not be more than ${maximum} ${unit}`, field };
}

export function tooMany(field: string, actual: number, maximum: number): StatusCause {
  const items = maximum === 1 ? "item" : "items";
  const message = `Too many: ${actual}: must have at most ${maximum} ${items}`;
  return { reason: "FieldValueTooMany", message, field };
}

function withDetail(head: string, detail: string): string {
  return detail === "" ? head : `${head}: ${detail}`;
}

/** Formats a value for a message: text in quotes, everything else as JSON. */
function show(value: unknown): string {
  if (value === undefined) return "null";
  if (typeof value === "number") return goNumber(value);
  if (typeof value !== "object") return JSON.stringify(value);
  // Go escapes HTML characters in JSON, but not in text.
  return JSON.stringify(value).replace(
    /[<>&]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
