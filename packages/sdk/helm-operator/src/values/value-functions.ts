import type { KubeObject } from "@operator-path/client";
import { copyJson, isJsonObject, type JsonObject } from "../json.ts";
import { ValuesError } from "./values-error.ts";

/** Makes the values of an object's release, and may read from the cluster. An error fails the reconcile. */
export type ValueTranslator = (resource: KubeObject) => Promise<JsonObject> | JsonObject;

/** Changes values. Runs in each reconcile, so it must return equal results for equal values. */
export type ValueMapper = (values: JsonObject) => JsonObject;

/**
 * Returns a copy of an object's spec, which is the default of `valueTranslator`; an empty object without a
 * spec.
 *
 * @throws ValuesError when the spec is not an object
 */
export function specValues(resource: KubeObject): JsonObject {
  const { spec } = resource as { spec?: unknown };
  if (spec === undefined || spec === null) return {};
  if (isJsonObject(spec)) return copyJson(spec);
  const name = `${resource.kind ?? "object"} ${resource.metadata?.name ?? ""}`.trim();
  throw new ValuesError(`${name}: spec is ${JSON.stringify(spec).slice(0, 80)}, but values must be a table`);
}
