import type { LabelSelector, LabelSelectorRequirement } from "@operator-path/client";

/**
 * Whether labels match a selector: a LabelSelector as it stands in a Deployment, or the text that `kubectl -l` takes
 * (`app=payment`, `tier!=web`, `env in (a,b)`, `env notin (a)`, `gpu`, `!gpu`, joined by commas).
 * An empty selector matches everything, as in the API; a missing one (undefined) does too.
 *
 * @throws SyntaxError when a text is no selector
 */
export function matchLabels(
  selector: LabelSelector | string | undefined,
  labels: Record<string, string> | undefined,
): boolean {
  const requirements =
    typeof selector === "string" ? parseSelector(selector) : requirementsOf(selector ?? {});
  return requirements.every((requirement) => matches(requirement, labels ?? {}));
}

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
    case "DoesNotExist":
      return value === undefined;
    default:
      throw new SyntaxError(`${JSON.stringify(operator)} is not a label selector operator`);
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
