import { createHash } from "node:crypto";
import type { KubeObject } from "@operator-path/client";
import { copyJson, isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { ValuesError } from "./set-values.ts";

/** Makes the values of an object's release, and may read from the cluster. An error fails the reconcile. */
export type ValueTranslator = (resource: KubeObject) => Promise<JsonObject> | JsonObject;

/** Changes values. Runs in each reconcile, so it must return equal results for equal values. */
export type ValueMapper = (values: JsonObject) => JsonObject;

/**
 * Returns a copy of an object's spec, or an empty object: the default of `valueTranslator`.
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

/** Returns a SHA-256 in hexadecimal. Ignores undefined members and the order of keys, not that of lists. */
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
