import type { Expression } from "./ast.ts";
import { CelCostError, type CelEvaluationError } from "./errors.ts";
import type { Overload } from "./functions.ts";
import type { CelValue } from "./values.ts";

/** What an evaluation needs and changes. */
export interface Frame {
  /** @throws CelEvaluationError if the variable is not there */
  variable(name: string): CelValue;
  /** Variables of macros, by the place that they were given when the expression was compiled. */
  readonly locals: (CelValue | Failure)[];
  /** Units that are left. */
  budget: number;
}

/** A part of an expression, ready to run. */
export type Step = (frame: Frame) => CelValue;

/** What identifiers and calls may mean. */
export interface Names {
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** Types that have a name: `int`, `google.protobuf.Timestamp`. */
  readonly types: ReadonlySet<string>;
  isVariable(name: string): boolean;
}

/** @throws CelCostError when there is nothing left */
export function spend(frame: Frame, units: number): void {
  frame.budget -= units;
  if (frame.budget < 0) throw new CelCostError();
}

/** Where a part of an expression is compiled. */
export interface Scope {
  readonly names: Names;
  /** Compiles a part of the part: the interpreter, which knows every kind of expression. */
  compile(part: Expression, scope: Scope): Step;
  /** Names of macros' variables, the innermost last. */
  readonly locals: readonly string[];
}

/** An element that is an error does not end the fold: another one may decide `exists` and `all`. */
export class Failure {
  readonly error: CelEvaluationError;
  constructor(error: CelEvaluationError) {
    this.error = error;
  }
}
