import { type CostBudget, compileExpression } from "../../../lib/cel/environment.ts";
import { CelCompileError, CelCostError, CelEvaluationError } from "../../../lib/cel/errors.ts";
import { type CelType, formatType, objectOf } from "../../../lib/cel/types.ts";
import { type Activation, celVariables } from "./variables.ts";

/** A value, or a real server's message about why the evaluation failed. */
export type Evaluation =
  | { value: unknown; error?: undefined }
  /** `cause` is the message without the expression. */
  | { value?: undefined; error: string; cause: string };

/** An expression that is compiled at its first use. */
export interface PolicyExpression {
  /**
   * Evaluates the expression. @throws BudgetError when all expressions of the request together cost too much
   */
  evaluate(activation: Activation, budget: CostBudget): Evaluation;
}

/** All expressions of a request together cost too much. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";

  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

/**
 * The highest cost of a policy's validations, and of the matchConditions of a policy or webhook, in cel-go's
 * units.
 */
export const policyBudget = 10_000_000;
export const matchConditionsBudget = 2_500_000;

export function createExpression(expression: string): PolicyExpression {
  let compiled: ReturnType<typeof compileExpression> | string | undefined;

  function compile(): ReturnType<typeof compileExpression> | string {
    try {
      return compileExpression(expression, { variables: celVariables });
    } catch (error) {
      const words = compilationWords(error);
      if (words === undefined) throw error;
      return words;
    }
  }

  return {
    evaluate(activation, budget) {
      compiled ??= compile();
      if (typeof compiled === "string") return { error: `compilation error: ${compiled}`, cause: compiled };
      try {
        return { value: compiled.evaluate(activation, { budget }) };
      } catch (error) {
        if (error instanceof CelCostError && budget.left <= 0) throw new BudgetError();
        if (!(error instanceof CelEvaluationError)) throw error;
        const cause = error.message;
        return { error: `expression '${expression}' resulted in error: ${cause}`, cause };
      }
    },
  };
}

/** The allowed result types by purpose. An empty list allows every type. The others do not allow `dyn`. */
const outputs: Readonly<Record<Expectation, readonly string[]>> = {
  bool: ["bool"],
  string: ["string"],
  "string or null": ["string", "null_type"],
  any: [],
};

export type Expectation = "bool" | "string" | "string or null" | "any";

/** The optional variables of an expression. */
export interface ExpressionVariables {
  params: boolean;
  authorizer: boolean;
  /** The variables of the policy, by name. Default: none. */
  variables?: ReadonlyMap<string, CelType>;
}

/** Compiles an expression. @returns its type, or cel-go's message about what is wrong */
export function checkExpression(
  expression: string,
  expects: Expectation,
  { params, authorizer, variables: own = new Map() }: ExpressionVariables,
): CelType | string {
  const variables = Object.fromEntries(
    Object.entries(celVariables).filter(
      ([name]) => (params || name !== "params") && (authorizer || !name.startsWith("authorizer")),
    ),
  );
  try {
    const { type } = compileExpression(expression, {
      variables: { ...variables, variables: objectOf("kubernetes.variables", own) },
    });
    const wanted = outputs[expects];
    const actual = formatType(type);
    if (wanted.length === 0 || wanted.includes(actual)) return type;
    const list = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(" ")}]`;
    return `must evaluate to ${list} but got ${actual}`;
  } catch (error) {
    const words = compilationWords(error);
    if (words === undefined) throw error;
    return words;
  }
}

/** Returns the message about an invalid expression, or undefined for any other error. */
function compilationWords(error: unknown): string | undefined {
  return error instanceof CelCompileError ? `compilation failed: ${error.message}` : undefined;
}
