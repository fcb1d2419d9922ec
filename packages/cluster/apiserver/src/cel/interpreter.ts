import { compileList, compileMap } from "./aggregates.ts";
import type { Expression } from "./ast.ts";
import { compileCall, conversions } from "./calls.ts";
import { compileComprehension } from "./comprehension.ts";
import { Failure, type Names, type Scope, type Step, spend } from "./frame.ts";
import { fail } from "./functions.ts";
import { compileLogic } from "./logic.ts";
import { compileSelect } from "./select.ts";
import { CelTypeValue, type CelValue } from "./values.ts";

/** Makes closures of an expression: what can be decided once is decided here. */
export function compile(expression: Expression, names: Names): Step {
  return compilePart(expression, { names, locals: [] });
}

export function compilePart(part: Expression, scope: Scope): Step {
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

/** What is made of literals only is made once, and costs nothing. */
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

/** A variable, of a macro or given, or the name of a type. */
export function compileIdentifier(name: string, { names, locals }: Scope): Step {
  const plain = name.replace(/^\./, "");
  const place = name.startsWith(".") ? -1 : locals.lastIndexOf(name);
  if (place >= 0) {
    return (frame) => {
      spend(frame, 1);
      const value = frame.locals[place];
      if (value instanceof Failure) throw value.error;
      return value as CelValue;
    };
  }
  if (names.types.has(plain) && !names.isVariable(plain)) {
    const type = new CelTypeValue(plain);
    return () => type;
  }
  return (frame) => {
    spend(frame, 1);
    return frame.variable(plain);
  };
}
