import type { KubeObject } from "@operator-path/client";
import { copyJson, isJsonObject, type JsonObject } from "../json.ts";
import { ValuesError } from "./values-error.ts";

/** Makes the values of an object's release; it may ask the cluster. An error fails the reconcile. */
export type ValueTranslator = (resource: KubeObject) => Promise<JsonObject> | JsonObject;

/** Changes values, and nothing else: it is called for each reconcile, and must answer alike to the same values. */
export type ValueMapper = (values: JsonObject) => JsonObject;

/**
 * The values of an object for which nobody translates: a copy of its spec; without a spec, none.
 *
 * @throws ValuesError when its spec is no table
 */
export function specValues(resource: KubeObject): JsonObject {
  const { spec } = resource as { spec?: unknown };
  if (spec === undefined || spec === null) return {};
  if (isJsonObject(spec)) return copyJson(spec);
  const name = `${resource.kind ?? "object"} ${resource.metadata?.name ?? ""}`.trim();
  throw new ValuesError(`${name}: spec is ${JSON.stringify(spec).slice(0, 80)}, and values are a table`);
}
