import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../schema/schema.ts";
import { fieldOf, itemOf, type JsonSchema, type Place, type ReportField } from "./json-schema.ts";
import { structuralSchema } from "./structural-schema.ts";

/**
 * Reports each field whose value a transform changes. The server stores and returns the value before the
 * transform, and the client does not parse it, so the TypeScript type would be wrong.
 *
 * @param input the structural schema of the values that clients write
 * @param output the JSON Schema of the values that parsing returns
 * @param known fields that already have a problem, which are not reported again
 */
export function reportTransforms(
  input: Schema,
  output: JsonSchema,
  known: ReadonlySet<string>,
  report: ReportField,
): void {
  const paths = new Set<string>();
  // If the output of a field has no schema, a transform produces it.
  const result = structuralSchema(output, (path) => paths.add(path));
  for (const path of changedFields(input, result, { path: "", refs: [] })) {
    // If the values of a map have no schema, the map itself differs as well. Report only the values.
    if (![...paths].some((other) => other.startsWith(`${path}[*]`))) paths.add(path);
  }
  for (const path of paths) {
    if (known.has(path)) continue;
    report(
      path,
      "a transform changes the value, but the server stores and returns the one before it",
      "use the type before the transform, and convert the value in your code",
    );
  }
}

function changedFields(input: Schema, output: Schema, at: Place): string[] {
  const isKept = [input, output].every((schema) => schema["x-kubernetes-preserve-unknown-fields"] === true);
  // The author wants the server to keep this field unchecked.
  if (isKept && input.type !== output.type) return [];
  if (!isDeepStrictEqual(ownChecks(input), ownChecks(output))) return [at.path];
  const inner: string[] = [];
  const { items, additionalProperties: values, properties = {} } = output;
  for (const [name, field] of Object.entries(input.properties ?? {})) {
    inner.push(...changedFields(field, properties[name] ?? {}, fieldOf(at, name)));
  }
  if (input.items) inner.push(...changedFields(input.items, items ?? {}, itemOf(at)));
  if (typeof input.additionalProperties === "object" && typeof values === "object") {
    inner.push(...changedFields(input.additionalProperties, values, itemOf(at)));
  }
  return inner;
}

/**
 * Returns the checks of the value itself. Defaults and required fields differ between input and output by
 * design.
 */
function ownChecks(schema: Schema): object {
  const { properties, additionalProperties, items, required: _, ...checks } = schema;
  const { default: __, title: ___, description: ____, "x-kubernetes-validations": _____, ...rest } = checks;
  return {
    ...rest,
    names: Object.keys(properties ?? {}).sort(),
    hasItems: items !== undefined,
    isMap: typeof additionalProperties === "object",
  };
}
