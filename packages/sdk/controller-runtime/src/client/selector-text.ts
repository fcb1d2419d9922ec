import { type LabelSelector, UsageError } from "@operator-path/client";
import type { ListOptions } from "./reader.ts";

/** Returns the query parameters for the options, in the syntax of `kubectl -l` and `--field-selector`. */
export function selectorsOf({ labels, labelSelector, fields }: ListOptions): {
  labelSelector?: string;
  fieldSelector?: string;
} {
  const terms = [selectorText({ matchLabels: { ...labels } }), selectorText(labelSelector ?? "")].filter(
    Boolean,
  );
  const fieldTerms = Object.entries(fields ?? {}).map(([name, value]) => `${name}=${escaped(value)}`);
  return {
    ...(terms.length > 0 ? { labelSelector: terms.join(",") } : {}),
    ...(fieldTerms.length > 0 ? { fieldSelector: fieldTerms.join(",") } : {}),
  };
}

/**
 * Rejects a selector that is explicitly undefined, for example from an object without a selector. It would
 * select everything, whereas metav1.LabelSelectorAsSelector(nil) selects nothing.
 *
 * @throws UsageError naming the option
 */
export function refuseUndefined(options: ListOptions): void {
  for (const name of ["labels", "labelSelector", "fields"] as const) {
    if (name in options && options[name] === undefined) {
      throw new UsageError(
        `${name} is undefined, which would select everything: leave it out if you want that`,
      );
    }
  }
}

/**
 * Returns a LabelSelector as `kubectl -l` takes it. "" selects everything. Go: metav1.FormatLabelSelector.
 *
 * @throws SyntaxError when an operator is invalid
 */
export function selectorText(selector: LabelSelector | string): string {
  if (typeof selector === "string") return selector.trim();
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    switch (operator) {
      case "In":
        return `${key} in (${values.join(",")})`;
      case "NotIn":
        return `${key} notin (${values.join(",")})`;
      case "Exists":
        return key;
      case "DoesNotExist":
        return `!${key}`;
      default:
        throw new SyntaxError(`${JSON.stringify(operator)} is not a label selector operator`);
    }
  });
  return [...equal, ...expressions].join(",");
}

/** Escapes the value of a field selector. apimachinery: fields.EscapeValue. */
function escaped(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}
