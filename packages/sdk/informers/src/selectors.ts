import type { LabelSelector, LabelSelectorRequirement } from "@operator-path/client";
import { anyLabels, keyBit, type LabelSketch, pairBit } from "./store/label-sketch.ts";

/**
 * Whether labels match a selector: a LabelSelector as it stands in a Deployment, or the text that `kubectl -l` takes
 * (`app=payment`, `tier!=web`, `env in (a,b)`, `env notin (a)`, `gpu`, `!gpu`, joined by commas).
 * An empty selector matches everything, as in the API; a missing one (undefined) does too.
 *
 * @throws SyntaxError when a text is no selector, or an operator none
 */
export function matchLabels(
  selector: LabelSelector | string | undefined,
  labels: Record<string, string> | undefined,
): boolean {
  return compileSelector(selector).matches(labels);
}

/** A selector that is read once, for many objects. */
export interface CompiledSelector {
  matches(labels: Record<string, string> | undefined): boolean;
  /** False when it matches no labels of that sketch. */
  fits(sketch: Partial<LabelSketch>): boolean;
}

/**
 * @throws SyntaxError when a text is no selector, or an operator none
 */
export function compileSelector(selector: LabelSelector | string | undefined): CompiledSelector {
  const requirements =
    typeof selector === "string" ? parseSelector(selector) : requirementsOf(selector ?? {});
  for (const { operator } of requirements) {
    if (!operators.has(operator))
      throw new SyntaxError(`${JSON.stringify(operator)} is not a label selector operator`);
  }
  // A requirement that something is not there fits all that is known of what is.
  const wanted = requirements
    .filter(({ operator }) => operator === "In" || operator === "Exists")
    .map(({ key, operator, values = [] }) => ({
      key: keyBit(key),
      pairs: operator === "In" ? values.reduce((bits, value) => bits | pairBit(key, value), 0) : anyLabels,
    }));
  return {
    matches: (labels = {}) => requirements.every((requirement) => matches(requirement, labels)),
    fits: ({ labelKeys = anyLabels, labelPairs = anyLabels }) =>
      wanted.every(({ key, pairs }) => (labelKeys & key) !== 0 && (labelPairs & pairs) !== 0),
  };
}

const operators = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);

function requirementsOf(selector: LabelSelector): LabelSelectorRequirement[] {
  const equal = Object.entries(selector.matchLabels ?? {});
  return [
    ...equal.map(([key, value]) => ({ key, operator: "In", values: [value] })),
    ...(selector.matchExpressions ?? []),
  ];
}

function matches(
  { key, operator, values = [] }: LabelSelectorRequirement,
  labels: Record<string, string>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
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

const forms: [RegExp, (key: string, values: string) => LabelSelectorRequirement][] = [
  [/^([^\s=!(),]+)\s+in\s*\(([^()]*)\)$/, (key, values) => ({ key, operator: "In", values: list(values) })],
  [
    /^([^\s=!(),]+)\s+notin\s*\(([^()]*)\)$/,
    (key, values) => ({ key, operator: "NotIn", values: list(values) }),
  ],
  [/^([^\s=!(),]+)\s*!=\s*([^\s=!(),]*)$/, (key, value) => ({ key, operator: "NotIn", values: [value] })],
  [/^([^\s=!(),]+)\s*==?\s*([^\s=!(),]*)$/, (key, value) => ({ key, operator: "In", values: [value] })],
  [/^!\s*([^\s=!(),]+)$/, (key) => ({ key, operator: "DoesNotExist" })],
  [/^([^\s=!(),]+)$/, (key) => ({ key, operator: "Exists" })],
];

function parseSelector(text: string): LabelSelectorRequirement[] {
  if (text.trim() === "") return [];
  // Commas inside parentheses separate values, the others separate requirements.
  return text.split(/,(?![^(]*\))/).map((part) => {
    for (const [form, make] of forms) {
      const match = form.exec(part.trim());
      if (match) return make(match[1] ?? "", match[2] ?? "");
    }
    throw new SyntaxError(`${JSON.stringify(part.trim())} is not a label selector: try key=value`);
  });
}

function list(values: string): string[] {
  return values.split(",").map((value) => value.trim());
}
