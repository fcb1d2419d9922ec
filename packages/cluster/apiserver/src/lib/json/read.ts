import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

// Functions that read parts of a decoded object: present values have the right type, but any may be missing.

export function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

export function object(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function labels(value: JsonValue | undefined): Record<string, string> {
  return isJsonObject(value) ? (value as Record<string, string>) : {};
}
