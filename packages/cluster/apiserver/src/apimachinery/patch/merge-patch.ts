import { getMember, isJsonObject, type JsonObject, type JsonValue, setMember } from "../../lib/json/json.ts";

/**
 * RFC 7386: objects are merged, null removes, everything else replaces. Nothing of the arguments is changed or shared
 * with the result.
 */
export function mergePatch(document: JsonObject, patch: JsonObject): JsonObject {
  const result = structuredClone(document);
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) {
      delete result[key];
    } else {
      setMember(result, key, merged(getMember(result, key), value));
    }
  }
  return result;
}

function merged(current: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return structuredClone(value);
  return mergePatch(isJsonObject(current) ? current : {}, value);
}
