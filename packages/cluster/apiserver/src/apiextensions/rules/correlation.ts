import { isDeepStrictEqual } from "node:util";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";

/**
 * A value with the previous value that it corresponds to (CorrelatedObject of
 * k8s.io/apiserver/pkg/cel/common). Fields correspond by name, elements of a list of type map by their keys.
 * Elements of other lists correspond to nothing.
 */
export interface Correlation {
  key(name: string): Correlation | undefined;
  index(index: number): Correlation | undefined;
  /** Whether nothing has changed, as far as correspondence is known. */
  readonly unchanged: boolean;
}

export function correlate(value: JsonValue, old: JsonValue, schema: RawSchema): Correlation {
  let unchanged: boolean | undefined;
  const correlation: Correlation = {
    key(name) {
      if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
      if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined;
      const member = memberSchema(schema, name);
      if (member === undefined) return undefined;
      return correlate(value[name] as JsonValue, old[name] as JsonValue, member);
    },
    index(index) {
      const { items } = schema;
      if (!Array.isArray(value) || items === undefined) return undefined;
      const element = value[index] as JsonValue;
      const before = previousElement(element, schema, old);
      return before === undefined ? undefined : correlate(element, before, items);
    },
    get unchanged() {
      unchanged ??= isUnchanged(correlation, value, old, schema);
      return unchanged;
    },
  };
  return correlation;
}

function isUnchanged(correlation: Correlation, value: JsonValue, old: JsonValue, schema: RawSchema): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    if (schema["x-kubernetes-list-type"] !== "map") return isDeepStrictEqual(value, old);
    return value.every((_element, index) => correlation.index(index)?.unchanged === true);
  }
  if (isJsonObject(value) && isJsonObject(old)) {
    const names = Object.keys(value);
    if (names.length !== Object.keys(old).length) return false;
    return names.every((name) => correlation.key(name)?.unchanged === true);
  }
  return isDeepStrictEqual(value, old);
}

function memberSchema({ properties = {}, additionalProperties }: RawSchema, name: string) {
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Returns the element of the old list with the same keys, or undefined if the list has no keys. */
export function previousElement(
  element: JsonValue,
  schema: RawSchema,
  old: JsonValue | undefined,
): JsonValue | undefined {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || keys.length === 0 || !Array.isArray(old))
    return undefined;
  if (!isJsonObject(element) || !keys.every((key) => Object.hasOwn(element, key))) return undefined;
  return old.find(
    (candidate) =>
      isJsonObject(candidate) && keys.every((key) => isDeepStrictEqual(candidate[key], element[key])),
  );
}
