import { listCost } from "./aggregates.ts";
import type { Comprehension, Expression, ListLiteral } from "./ast.ts";
import { CelCostError, CelEvaluationError } from "./errors.ts";
import { Failure, type Frame, type Scope, type Step, spend } from "./frame.ts";
import { fail } from "./functions.ts";
import { accumulator } from "./macros.ts";
import { CelList, CelMap, type CelValue, typeNameOf } from "./values.ts";

/** Returns whether an expression is the accumulator of a macro. */
export function isAccumulator(part: Expression | undefined): boolean {
  return part?.kind === "identifier" && part.name === accumulator;
}

/**
 * Compiles an append to a macro's list. It grows the list in place, because the macro has the only reference.
 * Otherwise `map` would copy the list for each element.
 */
export function compileAppend(target: Expression, { elements }: ListLiteral, scope: Scope): Step {
  const list = scope.compile(target, scope);
  const steps = elements.map(({ value }) => scope.compile(value, scope));
  return (frame) => {
    const whole = list(frame);
    const values = steps.map((step) => step(frame));
    spend(frame, listCost + 1);
    if (!(whole instanceof GrowingList)) return GrowingList.from(whole as CelList, values);
    whole.values.push(...values);
    return whole;
  };
}

class GrowingList extends CelList {
  readonly values: CelValue[];

  constructor(values: CelValue[]) {
    super(0, (index) => values[index] as CelValue);
    this.values = values;
    Object.defineProperty(this, "length", { get: () => values.length });
  }

  static from(list: CelList, values: CelValue[]): GrowingList {
    return new GrowingList([...list, ...values]);
  }
}

/** Compiles a fold: all macros are one. */
export function compileComprehension(fold: Comprehension, scope: Scope): Step {
  const range = scope.compile(fold.range, scope);
  const initial = scope.compile(fold.initial, scope);
  const place = scope.locals.length;
  const outer = { ...scope, locals: [...scope.locals, fold.accumulator] };
  const inner = { ...scope, locals: [...outer.locals, fold.variable, fold.secondVariable ?? "#none"] };
  const condition = inner.compile(fold.condition, inner);
  const step = inner.compile(fold.step, inner);
  const result = outer.compile(fold.result, outer);
  const two = fold.secondVariable !== undefined;
  return (frame) => {
    const { locals } = frame;
    const over = range(frame);
    let collected: CelValue | Failure = initial(frame);
    for (const [first, second] of iterate(over, two)) {
      locals[place] = collected;
      locals[place + 1] = first;
      locals[place + 2] = second;
      if (condition(frame) !== true) break;
      collected = attempt(step, frame);
    }
    locals[place] = collected;
    return result(frame);
  };
}

function attempt(step: Step, frame: Frame): CelValue | Failure {
  try {
    return step(frame);
  } catch (error) {
    if (error instanceof CelEvaluationError && !(error instanceof CelCostError)) return new Failure(error);
    throw error;
  }
}

function* iterate(range: CelValue, two: boolean): Generator<[CelValue, CelValue]> {
  if (range instanceof CelList) {
    for (let index = 0; index < range.length; index++) {
      const element = range.at(index);
      yield two ? [BigInt(index), element] : [element, null];
    }
  } else if (range instanceof CelMap) {
    for (const key of range.keys()) yield [key, two ? (range.get(key) ?? null) : null];
  } else {
    fail(`got '${goTypeOf(range)}', expected iterable type`);
  }
}

/** Returns the name of cel-go's type for a value. */
function goTypeOf(value: CelValue): string {
  const name = typeNameOf(value);
  if (name === "null_type") return "types.Null";
  if (name.startsWith("google.protobuf.")) return `types.${name.slice("google.protobuf.".length)}`;
  return `types.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
