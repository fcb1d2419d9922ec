import type { KubeObject } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import type { CacheConfig } from "./options.ts";

/** Returns whether a cache with this setting selects the object. */
export function isSelected(
  config: Pick<CacheConfig, "labelSelector" | "fieldSelector">,
  object: KubeObject,
): boolean {
  return (
    matchLabels(config.labelSelector ?? "", object.metadata?.labels) &&
    matchFields(config.fieldSelector ?? "", object)
  );
}

/**
 * Evaluates a field selector on the client, by path. That matches what the API server supports:
 * metadata.name, spec.nodeName, status.phase and the selectableFields of CRDs.
 */
function matchFields(selector: string, object: KubeObject): boolean {
  return selector
    .split(",")
    .filter((term) => term.trim() !== "")
    .every((term) => {
      const [, path = "", operator, value = ""] = /^\s*([^=!]+?)\s*(!=|==?)\s*(.*?)\s*$/.exec(term) ?? [];
      return (fieldAt(object, path) === value) === (operator !== "!=");
    });
}

/** Returns a field as text. A missing field is "". */
export function fieldAt(object: KubeObject, path: string): string {
  let at: unknown = object;
  for (const name of path.replace(/^\./, "").split(".")) {
    at = at !== null && typeof at === "object" && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
  }
  return at === undefined || at === null ? "" : String(at);
}
