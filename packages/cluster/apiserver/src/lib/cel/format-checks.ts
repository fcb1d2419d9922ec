import type { Call, Expression } from "./ast.ts";
import type { Issue } from "./errors.ts";
import { stringRule } from "./library/format-text.ts";
import { type CelType, runtimeName } from "./types.ts";

const integers = ["int", "uint"];
const doubles = ["double", "string"];

/**
 * For each clause: the kinds of values that it accepts, and the error for others (ext/formatting.go of
 * cel-go).
 */
const clauses: Record<string, { kinds: readonly string[]; rule: string }> = {
  s: {
    kinds: "string bool bytes int uint double map list type null duration timestamp object".split(" "),
    rule: stringRule,
  },
  d: { kinds: integers, rule: "decimal clause can only be used on integers" },
  f: { kinds: doubles, rule: "fixed-point clause can only be used on doubles" },
  e: { kinds: doubles, rule: "scientific clause can only be used on doubles" },
  b: { kinds: [...integers, "bool"], rule: "only integers and bools can be formatted as binary" },
  x: {
    kinds: [...integers, "string", "bytes"],
    rule: "only integers, byte buffers, and strings can be formatted as hex",
  },
  o: { kinds: integers, rule: "octal clause can only be used on integers" },
};

/** Checks the clauses of a literal template against a literal list of arguments. */
export function checkFormat(call: Call, types: ReadonlyMap<Expression, CelType>, issues: Issue[]): void {
  const [list] = call.args;
  const { target, position } = call;
  if (target?.kind !== "literal" || typeof target.value !== "string" || list?.kind !== "list") return;
  const args = list.elements.map(({ value }) => value);
  let next = 0;
  for (const [clause, verb] of target.value.matchAll(/%(?:%|(?:\.\d+)?([a-zA-Z])?)/g)) {
    if (clause === "%%") continue;
    const issue = checkClause(verb, args[next], next, types);
    if (issue !== undefined) {
      issues.push({ position, ...issue });
      return;
    }
    next += 1;
  }
  if (args.length <= next) return;
  const message = `too many arguments supplied to string.format (expected ${next}, got ${args.length})`;
  issues.push({ position, message });
}

function checkClause(
  verb: string | undefined,
  argument: Expression | undefined,
  index: number,
  types: ReadonlyMap<Expression, CelType>,
): { message: string; position?: number } | undefined {
  if (verb === undefined) return { message: "unexpected end of string" };
  const clause = clauses[verb.toLowerCase() === "x" ? "x" : verb];
  if (clause === undefined) {
    return { message: `could not parse formatting clause: unrecognized formatting clause "${verb}"` };
  }
  if (argument === undefined) return { message: `index ${index} out of range` };
  const type = types.get(argument);
  if (type === undefined || type.kind === "dyn" || clause.kinds.includes(type.kind)) return undefined;
  const message = `error during formatting: ${clause.rule}, was given ${runtimeName(type)}`;
  return { message, position: argument.position };
}
