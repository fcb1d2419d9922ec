import type { PolicyExpression } from "./expression.ts";
import { BudgetError, createExpression, matchConditionsBudget } from "./expression.ts";
import type { Activation } from "./variables.ts";

/** admissionregistration/v1 MatchCondition. */
export interface MatchCondition {
  name: string;
  expression: string;
}

export type MatchConditions = readonly PolicyExpression[];

export function readMatchConditions(conditions: readonly MatchCondition[]): MatchConditions {
  return conditions.map(({ expression }) => createExpression(expression));
}

/**
 * Returns whether all conditions hold. A false one decides, even if others fail.
 * @param failurePolicy Ignore: a condition that fails does not hold
 * @returns true or false, or the error's message if the result is unknown
 */
export function meetsConditions(
  conditions: MatchConditions,
  activation: Activation,
  failurePolicy: string,
): boolean | { error: string } {
  const budget = { left: matchConditionsBudget };
  const errors: string[] = [];
  for (const condition of conditions) {
    try {
      const { value, error } = condition.evaluate(activation, budget);
      if (error !== undefined) errors.push(error);
      else if (value === false) return false;
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      errors.push(error.message);
      break;
    }
  }
  if (errors.length === 0) return true;
  if (failurePolicy === "Ignore") return false;
  const unique = [...new Set(errors)];
  return { error: unique.length === 1 ? (unique[0] as string) : `[${unique.join(", ")}]` };
}
