import { childrenOf, type Expression } from "./ast.ts";
import type { Issue } from "./errors.ts";
import { checkFormat } from "./format-checks.ts";
import { isRegex } from "./library/regex.ts";
import { parseDuration, parseTimestamp } from "./library/time.ts";
import { type CelType, formatType } from "./types.ts";
import { sameType } from "./unify.ts";

/**
 * Checks literals before the expression runs: invalid durations, times and patterns, and lists and maps with
 * elements of different types (cel/validator.go of cel-go).
 */
export function checkLiterals(expression: Expression, types: ReadonlyMap<Expression, CelType>): Issue[] {
  const issues: Issue[] = [];
  walk(expression, false, (part, inFormat) => {
    if (part.kind === "call") {
      checkArgument(part.name, part.args[0], issues);
      if (part.name === "format") checkFormat(part, types, issues);
    }
    if (inFormat) return;
    if (part.kind === "list") checkAlike(part.elements, types, issues);
    if (part.kind === "map") {
      checkAlike(
        part.entries.map(({ key }) => ({ value: key, optional: false })),
        types,
        issues,
      );
      checkAlike(part.entries, types, issues);
    }
  });
  return issues;
}

const checks: Record<string, (text: string) => boolean> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: isRegex,
};

function checkArgument(name: string, argument: Expression | undefined, issues: Issue[]): void {
  const isValid = Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (isValid === undefined || argument?.kind !== "literal") return;
  const { value } = argument;
  if (typeof value === "string" ? isValid(value) : name !== "duration") return;
  issues.push({ position: argument.position, message: `invalid ${name} argument` });
}

function checkAlike(
  elements: readonly { readonly value: Expression; readonly optional: boolean }[],
  types: ReadonlyMap<Expression, CelType>,
  issues: Issue[],
): void {
  let first: CelType | undefined;
  for (const { value, optional } of elements) {
    const whole = types.get(value);
    if (whole === undefined) continue;
    const type = optional && whole.kind === "opaque" ? (whole.parameters[0] ?? whole) : whole;
    first ??= type;
    if (sameType(first, type)) continue;
    const message = `expected type '${formatType(first)}' but found '${formatType(type)}'`;
    issues.push({ position: value.position, message });
    return;
  }
}

/** Calls back for each part. A `format` call accepts elements of different types. */
function walk(
  part: Expression,
  inFormat: boolean,
  visit: (part: Expression, inFormat: boolean) => void,
): void {
  visit(part, inFormat);
  const isFormat = inFormat || (part.kind === "call" && part.name === "format");
  for (const inner of childrenOf(part)) walk(inner, isFormat, visit);
}
