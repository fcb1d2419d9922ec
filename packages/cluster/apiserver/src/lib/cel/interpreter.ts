import { compileList, compileMap } from "./aggregates.ts";
import type { Expression } from "./ast.ts";
import { compileCall, conversions } from "./calls.ts";
import { compileComprehension } from "./comprehension.ts";
import type { Names, Scope, Step } from "./frame.ts";
import { fail } from "./functions.ts";
import { compileLogic } from "./logic.ts";
import { compileIdentifier, compileSelect } from "./select.ts";
import type { CelValue } from "./values.ts";

/** Compiles an expression to closures. Parts that do not depend on variables are evaluated here, once. */
export function compile(expression: Expression, names: Names): Step {
  return compilePart(expression, { names, locals: [], compile: compilePart });
}

function compilePart(part: Expression, scope: Scope): Step {
  switch (part.kind) {
    case "literal": {
      const { value } = part;
      return () => value;
    }
    case "identifier":
      return compileIdentifier(part.name, scope);
    case "select":
      return compileSelect(part, scope);
    case "call":
      return compileLogic(part, scope) ?? compileCall(part, scope);
    case "list":
      return constant(
        part.elements.map(({ value }) => value),
        compileList(part, scope),
      );
    case "map":
      return constant(
        part.entries.flatMap(({ key, value }) => [key, value]),
        compileMap(part, scope),
      );
    case "comprehension":
      return compileComprehension(part, scope);
    case "message":
      return () => fail(`unknown type: ${part.name}`);
  }
}

/** Evaluates a part that consists only of literals once, at no cost. */
function constant(parts: readonly Expression[], step: Step): Step {
  if (!parts.every(isConstant)) return step;
  let value: CelValue | undefined;
  return (frame) => {
    value ??= step({ ...frame, budget: Number.POSITIVE_INFINITY });
    return value;
  };
}

function isConstant(part: Expression): boolean {
  if (part.kind === "literal") return true;
  if (part.kind === "call") return conversions.has(part.name) && part.args.every(isConstant);
  if (part.kind === "list")
    return part.elements.every(({ value, optional }) => !optional && isConstant(value));
  return (
    part.kind === "map" &&
    part.entries.every(({ key, value, optional }) => !optional && isConstant(key) && isConstant(value))
  );
}
