import type { Call } from "./ast.ts";
import { CelCostError, CelEvaluationError } from "./errors.ts";
import { type Scope, type Step, spend } from "./frame.ts";
import { fail, sizeOf } from "./functions.ts";
import { indexInto, selectOptional } from "./select.ts";
import { CelOptional, type CelValue, equalValues } from "./values.ts";

/**
 * Compiles the operators that are not functions: they skip operands, absorb errors, or accept values of any
 * type. Returns undefined for any other call.
 */
export function compileLogic(call: Call, scope: Scope): Step | undefined {
  const parts = call.target === undefined ? call.args : [call.target, ...call.args];
  const compile = Object.hasOwn(operators, call.name) ? operators[call.name] : undefined;
  if (compile === undefined || parts.length !== compile.length) {
    return compileAlternative(call, scope);
  }
  return compile(...parts.map((part) => scope.compile(part, scope)));
}

// biome-ignore lint/suspicious/noExplicitAny: each takes as many steps as the operator has operands
const operators: Record<string, (...steps: any[]) => Step> = {
  "_&&_": (left: Step, right: Step) => absorbing(left, right, false),
  "_||_": (left: Step, right: Step) => absorbing(left, right, true),
  "_?_:_": (condition: Step, yes: Step, no: Step) => (frame) => {
    const chosen = condition(frame);
    if (typeof chosen !== "boolean") return fail("no such overload");
    return chosen ? yes(frame) : no(frame);
  },
  "@not_strictly_false": (operand: Step) => (frame) => {
    spend(frame, 1);
    try {
      return operand(frame) !== false;
    } catch (error) {
      return absorb(error) !== undefined;
    }
  },
  "_==_": (left: Step, right: Step) => (frame) => equals(left(frame), right(frame), frame),
  "_!=_": (left: Step, right: Step) => (frame) => !equals(left(frame), right(frame), frame),
  "_[_]": (whole: Step, key: Step) => (frame) => {
    const target = whole(frame);
    const index = key(frame);
    spend(frame, 1);
    return indexInto(target, index);
  },
  "_?._": optionalIndex,
  "_[?_]": optionalIndex,
};

function optionalIndex(whole: Step, key: Step): Step {
  return (frame) => {
    const target = whole(frame);
    return selectOptional(target, key(frame));
  };
}

function equals(left: CelValue, right: CelValue, frame: Parameters<Step>[0]): boolean {
  spend(frame, equalityCost(left, right));
  return equalValues(left, right);
}

function equalityCost(left: CelValue, right: CelValue): number {
  return Math.max(1, Math.ceil(Math.min(sizeOf(left), sizeOf(right)) * 0.1));
}

/** Compiles `&&` and `||`: one side that decides is enough, even if the other one fails. */
function absorbing(left: Step, right: Step, decides: boolean): Step {
  return (frame) => {
    let failure: unknown;
    for (const side of [left, right]) {
      try {
        const value = side(frame);
        if (value === decides) return decides;
        if (typeof value !== "boolean") failure ??= new CelEvaluationError("no such overload");
      } catch (error) {
        failure ??= absorb(error);
      }
    }
    if (failure !== undefined) throw failure;
    return !decides;
  };
}

/** Returns an error of the expression. Rethrows other errors, and that of a spent budget. */
function absorb(error: unknown): CelEvaluationError {
  if (error instanceof CelEvaluationError && !(error instanceof CelCostError)) return error;
  throw error;
}

/** Compiles `a.or(b)` and `a.orValue(b)`, which evaluate b only if it is needed. */
function compileAlternative({ name, target, args }: Call, scope: Scope): Step | undefined {
  if (target === undefined || args.length !== 1 || (name !== "or" && name !== "orValue")) return undefined;
  const first = scope.compile(target, scope);
  const second = scope.compile(args[0] as (typeof args)[number], scope);
  return (frame) => {
    const optional = first(frame);
    if (!(optional instanceof CelOptional)) return fail("no such overload");
    if (optional.value !== undefined) return name === "or" ? optional : optional.value;
    return second(frame);
  };
}
