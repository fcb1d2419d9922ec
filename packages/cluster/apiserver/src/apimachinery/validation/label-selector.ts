import { isLabelValue, isQualifiedName } from "../../lib/formats/names.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import { labels, objects, text, texts } from "../../lib/json/read.ts";
import type { StatusCause } from "../errors.ts";
import { forbidden, invalid, required } from "./cause.ts";
import { validateLabels } from "./object-meta.ts";

/** Validates a meta/v1 LabelSelector. */
export function validateLabelSelector(selector: JsonObject, path: string): StatusCause[] {
  const causes = validateLabels(labels(selector.matchLabels), `${path}.matchLabels`);
  objects(selector.matchExpressions).forEach((expression, index) => {
    const inner = `${path}.matchExpressions[${index}]`;
    const values = texts(expression.values);
    const operator = text(expression.operator);
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0) {
        causes.push(required(`${inner}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      if (values.length > 0) causes.push(forbidden(`${inner}.values`, detail));
    } else causes.push(invalid(`${inner}.operator`, operator, "not a valid selector operator"));
    const key = text(expression.key);
    causes.push(...isQualifiedName(key).map((error) => invalid(`${inner}.key`, key, error)));
    values.forEach((value, at) => {
      causes.push(...isLabelValue(value).map((error) => invalid(`${inner}.values[${at}]`, value, error)));
    });
  });
  return causes;
}

/**
 * Returns whether a valid selector matches labels. An empty one matches everything, a missing one nothing.
 */
export function selects(selector: JsonObject | undefined, given: Record<string, string>): boolean {
  if (selector === undefined) return false;
  const has = (key: string) => Object.hasOwn(given, key);
  const matched = Object.entries(labels(selector.matchLabels)).every(([key, value]) => given[key] === value);
  return (
    matched &&
    objects(selector.matchExpressions).every((expression) => {
      const key = text(expression.key);
      const values = texts(expression.values);
      switch (expression.operator) {
        case "In":
          return has(key) && values.includes(given[key] ?? "");
        case "NotIn":
          return !has(key) || !values.includes(given[key] ?? "");
        case "Exists":
          return has(key);
        default:
          return !has(key);
      }
    })
  );
}

export function isEmptySelector(selector: JsonObject): boolean {
  return (
    Object.keys(labels(selector.matchLabels)).length === 0 && objects(selector.matchExpressions).length === 0
  );
}
