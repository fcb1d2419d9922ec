import { isPortName } from "../../lib/formats/names.ts";
import type { JsonObject, JsonValue } from "../../lib/json/json.ts";
import { text } from "../../lib/json/read.ts";
import type { StatusCause } from "../errors.ts";
import { invalid, notSupported, required } from "./cause.ts";

/** Numbers that are there and below zero. */
export function nonNegative(object: JsonObject, path: string, ...keys: string[]): StatusCause[] {
  return keys.flatMap((key) => {
    const value = object[key];
    if (typeof value !== "number" || value >= 0) return [];
    return [invalid(`${path}.${key}`, value, "must be greater than or equal to 0")];
  });
}

/** @param values in the order in which a real server lists them */
export function oneOf(value: JsonValue | undefined, path: string, values: readonly string[]): StatusCause[] {
  if (value === undefined || value === "") return [required(path)];
  return values.includes(text(value)) ? [] : [notSupported(path, value, values)];
}

/** A text that must be there and follow a rule for names. */
export function named(
  value: JsonValue | undefined,
  path: string,
  rule: (name: string) => string[],
): StatusCause[] {
  const name = text(value);
  if (name === "") return [required(path)];
  return rule(name).map((error) => invalid(path, name, error));
}

export function portNumber(value: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof value === "number" && value >= 1 && value <= 65_535) return [];
  return [invalid(path, value ?? 0, "must be between 1 and 65535, inclusive")];
}

/** A port by its number or its name. */
export function portNumberOrName(value: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof value !== "string") return portNumber(value, path);
  return isPortName(value).map((error) => invalid(path, value, error));
}
