import type { JsonPatchOperation, KubeObject } from "@operator-path/client";
import jsonPatch from "fast-json-patch";

/**
 * Returns the JSON patch between two objects as sent: fields that are undefined count as missing. Compares
 * list items by index, so that the time is linear in the size. Go: jsonpatch.CreatePatch.
 *
 * Creates patches only. The apiserver package applies them, in the dialect of a real server, with its own code.
 */
export function createJsonPatch(original: KubeObject, changed: KubeObject): JsonPatchOperation[] {
  const [from, to] = [original, changed].map((object) => JSON.parse(JSON.stringify(object)));
  return jsonPatch.compare(from, to) as JsonPatchOperation[];
}
