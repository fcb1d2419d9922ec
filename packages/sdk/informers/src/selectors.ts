import type { LabelSelector, LabelSelectorRequirement } from "@operator-path/client";

/**
 * Returns whether labels match a selector. The selector is a LabelSelector as in a Deployment, or text as for
 * `kubectl -l`: `app=payment`, `tier!=web`, `env in (a,b)`, `env notin (a)`, `gpu`, `!gpu`, joined by commas.
 * An empty or undefined selector matches everything.
 *
 * @throws SyntaxError if the text is not a selector, or an operator is unknown
 */
export function matchLabels(
  selector: LabelSelector | string | undefined,
  labels: Record<string, string> | undefined,
): boolean {
  return compileSelector(selector).matches(labels);
}

/** A selector that is parsed once and matched against many objects. */
export interface CompiledSelector {
  matches(labels: Record<string, string> | undefined): boolean;
  /** Returns false if no labels with this sketch can match. */
  mayMatch(sketch: Partial<LabelSketch>): boolean;
}

/** @throws SyntaxError if the text is not a selector, or an operator is unknown */
export function compileSelector(selector: LabelSelector | string | undefined): CompiledSelector {
  const requirements =
    typeof selector === "string" ? parseSelector(selector) : requirementsOf(selector ?? {});
  for (const { operator } of requirements) {
    if (!operators.has(operator))
      throw new SyntaxError(`${JSON.stringify(operator)} is not a label selector operator`);
  }
  // A sketch shows which labels exist, so it can never rule out a requirement that a label is absent.
  const wanted = requirements
    .filter(({ operator }) => operator === "In" || operator === "Exists")
    .map(({ key, operator, values = [] }) => ({
      key: keyBit(key),
      pairs: operator === "In" ? values.reduce((bits, value) => bits | pairBit(key, value), 0) : anyLabels,
    }));
  return {
    matches: (labels = {}) => requirements.every((requirement) => matches(requirement, labels)),
    mayMatch: ({ labelKeys = anyLabels, labelPairs = anyLabels }) =>
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
  // Commas inside parentheses separate values. All other commas separate requirements.
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

/**
 * Summarizes labels in eight bytes instead of hundreds: one bit for each key, and one for each pair of key
 * and value. Different labels may share a bit, so a sketch answers "perhaps" or "no".
 */
export interface LabelSketch {
  labelKeys: number;
  labelPairs: number;
}

/** All bits set: nothing is known about the labels. */
export const anyLabels = -1;

export function sketchLabels(labels: Record<string, unknown> | undefined, into: LabelSketch): void {
  into.labelKeys = into.labelPairs = 0;
  for (const key in labels) {
    into.labelKeys |= keyBit(key);
    into.labelPairs |= pairBit(key, labels[key]);
  }
}

const keyBit = (key: string): number => 1 << hash(key, 0x811c9dc5);

const pairBit = (key: string, value: unknown): number => 1 << hash(String(value), hash(key, 0x811c9dc5));

/** FNV-1a with its upper bits mixed in, because a shift uses only the five lowest bits. */
function hash(text: string, seed: number): number {
  let sum = seed;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum ^ (sum >>> 13) ^ (sum >>> 22);
}
