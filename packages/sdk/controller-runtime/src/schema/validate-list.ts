import { isDeepStrictEqual } from "node:util";
import { type FieldError, field } from "../webhook/admission/field-error.ts";
import type { ResourceSchema } from "./schema.ts";

/** Validates a list as a whole. */
export function validateList(list: readonly unknown[], schema: ResourceSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { minItems, maxItems, uniqueItems } = schema;
  if (minItems !== undefined && list.length < minItems) {
    errors.push(field.invalid(path, list.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && list.length > maxItems) {
    errors.push(field.tooMany(path, list.length, maxItems));
  }
  const listType = schema["x-kubernetes-list-type"];
  if (listType === "map") {
    const keys = schema["x-kubernetes-list-map-keys"] ?? [];
    const keyOf = (item: unknown) =>
      Object.fromEntries(keys.map((key) => [key, (item as Record<string, unknown> | null)?.[key]]));
    errors.push(...duplicates(list.map(keyOf), path));
  } else if (listType === "set" || uniqueItems === true) errors.push(...duplicates(list, path));
  return errors;
}

function duplicates(items: readonly unknown[], path: string): FieldError[] {
  return items.flatMap((item, index) => {
    const first = items.findIndex((other) => isDeepStrictEqual(other, item));
    return first < index ? [field.duplicate(`${path}[${index}]`, item)] : [];
  });
}
