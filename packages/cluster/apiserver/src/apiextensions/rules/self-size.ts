import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import type { Path } from "../../lib/cel/cost/estimate.ts";
import type { Range } from "../../lib/cel/cost/range.ts";
import { unescapeName } from "./escape.ts";
import { isEmbedded, selfType, withResourceFields } from "./self-type.ts";

/** The largest request body, in bytes. */
const maximumRequest = 3 * 1024 * 1024;

/**
 * Returns the largest size of the value at a path below a schema: the schema's limit, or what fits into a
 * request (sizeEstimator of apiextensions-apiserver; k8s.io/apiserver/pkg/cel/common/schemas.go).
 *
 * @param path begins with the name of the variable, which is ignored
 * @returns undefined if the schema does not describe the path
 */
export function sizeBelow(schema: RawSchema, isResource: boolean, path: Path): Range | undefined {
  let here: RawSchema | undefined = isResource ? withResourceFields(schema) : schema;
  let isKey = false;
  for (const step of path.slice(1)) {
    if (here === undefined || isKey) return undefined;
    if (step === "@keys") {
      if (valuesOf(here) === undefined) return undefined;
      isKey = true;
      continue;
    }
    here = stepInto(here, step);
    if (here !== undefined && isEmbedded(here)) here = withResourceFields(here);
  }
  if (here === undefined || selfType(here, false) === undefined) return undefined;
  return { min: 0, max: isKey ? 0 : maximumSize(here) };
}

function stepInto(schema: RawSchema, step: string): RawSchema | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return undefined;
  if (step === "@items" || step === "@values")
    return schema.type === "array" ? schema.items : valuesOf(schema);
  if (schema.type !== "object" || valuesOf(schema) !== undefined) return undefined;
  const name = unescapeName(step);
  const { properties = {} } = schema;
  return name !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function valuesOf({ type, additionalProperties }: RawSchema): RawSchema | undefined {
  return type === "object" && typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function maximumSize(schema: RawSchema): number {
  const { type, format, items, maxItems, maxProperties, maxLength, enum: values } = schema;
  const textLength = maxLength === undefined ? maximumRequest - 2 : Math.max(maxLength, 0) * 4;
  if (schema["x-kubernetes-int-or-string"] === true) return textLength;
  const inner = valuesOf(schema);
  switch (type) {
    case "array":
      return maxItems ?? Math.floor((maximumRequest - 2) / (minimumSize(items ?? {}) + 1));
    case "object":
      if (inner === undefined) return 0;
      return maxProperties ?? Math.floor((maximumRequest - 2) / (minimumSize(inner) + 6));
    case "string": {
      const fixed = { duration: 32, date: 12, "date-time": 32 }[format ?? ""];
      if (fixed !== undefined) return fixed;
      if (format === "byte") return maxLength ?? maximumRequest - 2;
      if (maxLength !== undefined || values === undefined || values.length === 0) return textLength;
      return Math.max(...values.map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0)));
    }
    default:
      return 0;
  }
}

/** Returns the smallest size of a value, in bytes of JSON. */
function minimumSize(schema: RawSchema): number {
  if (schema["x-kubernetes-int-or-string"] === true) return 1;
  switch (schema.type) {
    case "boolean":
      return 4;
    case "number":
    case "integer":
      return 1;
    case "string":
      return { duration: 3, date: 12, "date-time": 21 }[schema.format ?? ""] ?? 2;
    case "object":
      return valuesOf(schema) === undefined ? minimumObjectSize(schema) : 2;
    default:
      return 2;
  }
}

function minimumObjectSize(schema: RawSchema): number {
  const { properties = {} } = isEmbedded(schema) ? withResourceFields(schema) : schema;
  return (schema.required ?? []).reduce((size, name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined || property.default !== undefined) return size;
    if (selfType(property, isEmbedded(property)) === undefined) return size;
    return size + name.length + minimumSize(property) + 4;
  }, 2);
}

/** Returns how many such values fit into a request. */
export function maximumCount(schema: RawSchema): number {
  return Math.floor(maximumRequest / (minimumSize(schema) + 1));
}
