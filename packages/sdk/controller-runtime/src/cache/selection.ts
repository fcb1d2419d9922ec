import type { KubeObject } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import type { CacheConfig } from "./options.ts";

/** Whether an object is one of those that a cache of this setting has. */
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
 * A field selector, as far as it can be told from here: fields are looked up by their path, which holds for those that
 * the API server selects by (metadata.name, spec.nodeName, status.phase, and CRDs' selectableFields).
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

/** A field that is not there is "". */
export function fieldAt(object: KubeObject, path: string): string {
  let at: unknown = object;
  for (const name of path.replace(/^\./, "").split(".")) {
    at = at !== null && typeof at === "object" && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
  }
  return at === undefined || at === null ? "" : String(at);
}
