import { getMember, isJsonObject, type JsonObject, type JsonValue, setMember } from "../../lib/json/json.ts";

/**
 * Applies a merge patch (RFC 7386): merges objects, removes nulls and replaces everything else. The result
 * shares nothing with the arguments, which are not changed.
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
