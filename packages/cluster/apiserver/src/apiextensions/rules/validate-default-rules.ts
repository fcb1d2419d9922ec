import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { treeOf } from "./compile-rules.ts";
import { isEmbedded } from "./self-type.ts";
import { validateRules } from "./validate-rules.ts";

/**
 * Validates that defaults satisfy the rules of their own schemas, and of the schemas inside those
 * (ValidateDefaults of structuralschema/defaulting). Like a real server, ignores defaults of map values.
 *
 * @param schema its rules must be valid
 */
export function validateDefaultRules(schema: RawSchema, path: string): StatusCause[] {
  const { default: value, items, properties = {} } = schema;
  const causes: StatusCause[] = [];
  const tree = value === undefined || value === null ? undefined : treeOf(schema, isEmbedded(schema));
  if (tree !== undefined && value !== undefined) {
    // A default may exist from the beginning, or be added to an existing object.
    const unchanged = validateRules(tree, value, value, () => undefined);
    const found = unchanged.length > 0 ? unchanged : validateRules(tree, value, undefined, () => undefined);
    causes.push(
      ...found.map((cause) => ({
        ...cause,
        field: cause.field === "<nil>" ? `${path}.default` : `${path}.default.${cause.field}`,
      })),
    );
  }
  if (items !== undefined) causes.push(...validateDefaultRules(items, `${path}.items`));
  for (const [key, property] of Object.entries(properties)) {
    causes.push(...validateDefaultRules(property, `${path}.properties[${key}]`));
  }
  return causes;
}
