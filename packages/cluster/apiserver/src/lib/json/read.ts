import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

// Reading parts of an object that has been decoded: types are right, but anything may be absent.

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
