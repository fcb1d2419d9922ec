import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** SHA-256 in hexadecimal. The order of keys, and members that are undefined, make no difference; the order of lists does. */
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
