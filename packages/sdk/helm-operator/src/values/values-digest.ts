import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/**
 * Returns a SHA-256 in hexadecimal. Ignores the order of keys and undefined members, but not the order of
 * lists.
 */
export function valuesDigest(values: JsonObject): string {
  return createHash("sha256").update(canonical(values)).digest("hex");
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = value[key];
      return member === undefined ? [] : [`${JSON.stringify(key)}:${canonical(member)}`];
    });
  return `{${members.join(",")}}`;
}
