import type { Expression } from "./ast.ts";
import { CelCostError, type CelEvaluationError } from "./errors.ts";
import type { Overload } from "./functions.ts";
import type { CelValue } from "./values.ts";

/** The state of one evaluation. */
export interface Frame {
  /** Returns a variable. @throws CelEvaluationError if it is missing */
  variable(name: string): CelValue;
  /** The variables of macros, at the index assigned at compile time. */
  readonly locals: (CelValue | Failure)[];
  /** The remaining cost units. */
  budget: number;
}

/** A compiled part of an expression. */
export type Step = (frame: Frame) => CelValue;

/** The functions, types and variables that names can refer to. */
export interface Names {
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  /** Names of types: `int`, `google.protobuf.Timestamp`. */
  readonly types: ReadonlySet<string>;
  isVariable(name: string): boolean;
}

/** Subtracts cost units. @throws CelCostError when too few are left */
export function spend(frame: Frame, units: number): void {
  frame.budget -= units;
  if (frame.budget < 0) throw new CelCostError();
}

/** The context in which a part of an expression is compiled. */
export interface Scope {
  readonly names: Names;
  /** Compiles a part of the part. This is the interpreter, which knows every kind of expression. */
  compile(part: Expression, scope: Scope): Step;
  /** Names of macro variables, the innermost last. */
  readonly locals: readonly string[];
}

/**
 * The error of an element. It does not end the fold, because another element may decide `exists` or `all`.
 */
export class Failure {
  readonly error: CelEvaluationError;
  constructor(error: CelEvaluationError) {
    this.error = error;
  }
}
