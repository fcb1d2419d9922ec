import { isDeepStrictEqual } from "node:util";
import { concatRules, validations } from "./combine.ts";
import { isJsonSchema, type JsonSchema, listOf, type Place } from "./json-schema.ts";

/**
 * Resolves a `$ref`, if there is one. Keywords beside the `$ref` apply as well. `cycle` reports one that
 * leads to itself.
 */
export function follow(
  document: JsonSchema,
  schema: JsonSchema,
  at: Place,
): { schema: JsonSchema; place: Place; cycle: boolean } {
  const { $ref, ...beside } = schema;
  if (typeof $ref !== "string") return { schema, place: at, cycle: false };
  if (at.refs.includes($ref)) return { schema, place: at, cycle: true };
  const target = $ref
    .replace(/^#\/?/, "")
    .split("/")
    .filter((token) => token !== "")
    .map((token) => decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((inner, token) => (isJsonSchema(inner) ? inner[token] : undefined), document);
  if (!isJsonSchema(target)) return { schema: { ...beside, not: {} }, place: at, cycle: false };
  return follow(document, mergeBeside(target, beside), { path: at.path, refs: [...at.refs, $ref] });
}

/**
 * Returns the inner schema of a union or `$ref` with the keywords beside it. A title, description or default
 * beside it replaces the inner one. Checks that differ become an allOf, because both apply.
 */
export function mergeBeside(inner: JsonSchema, beside: JsonSchema): JsonSchema {
  const differs = Object.entries(beside).some(
    ([key, value]) =>
      !["title", "description", "default", "nullable", validations].includes(key) &&
      inner[key] !== undefined &&
      !isDeepStrictEqual(inner[key], value),
  );
  if (differs) return { ...beside, allOf: [...listOf(beside.allOf), inner] };
  const rules = concatRules(listOf(inner[validations]), listOf(beside[validations]));
  return { ...inner, ...beside, ...(rules.length > 0 && { [validations]: rules }) };
}
