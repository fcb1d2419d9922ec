import type { JsonPatchOperation, KubeObject } from "@operator-path/client";
import jsonPatch from "fast-json-patch";

/**
 * What turns one object into the other (Go: jsonpatch.CreatePatch). As both are on the wire: a field that is undefined is
 * not there. Items of lists are compared by their place, so that the time it takes grows with the size alone.
 */
export function createJsonPatch(original: KubeObject, changed: KubeObject): JsonPatchOperation[] {
  const [from, to] = [original, changed].map((object) => JSON.parse(JSON.stringify(object)));
  return jsonPatch.compare(from, to) as JsonPatchOperation[];
}
