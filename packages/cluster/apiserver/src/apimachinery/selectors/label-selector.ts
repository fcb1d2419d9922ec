import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";

/**
 * Matches labels against a meta/v1 LabelSelector. A missing selector matches nothing, an empty one
 * everything.
 */
export function matchesLabelSelector(
  selector: JsonObject | undefined,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  if (selector === undefined) return false;
  const wanted = isJsonObject(selector.matchLabels) ? selector.matchLabels : {};
  const expressions = Array.isArray(selector.matchExpressions)
    ? selector.matchExpressions.filter(isJsonObject)
    : [];
  return (
    Object.entries(wanted).every(([key, value]) => labelOf(labels, key) === value) &&
    expressions.every((expression) => matchesExpression(expression, labels))
  );
}

/** Returns a label, but not an inherited member such as `constructor`. */
function labelOf(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function matchesExpression(expression: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const value = labelOf(labels, String(expression.key));
  const values = Array.isArray(expression.values) ? expression.values : [];
  switch (expression.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    default:
      return value === undefined;
  }
}
