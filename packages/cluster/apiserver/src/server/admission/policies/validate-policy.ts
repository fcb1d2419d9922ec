import { CelEvaluationError } from "../../../lib/cel/errors.ts";
import type { ApiObject } from "../../../lib/json/json.ts";
import { BudgetError, type Evaluation, type PolicyExpression, policyBudget } from "./expression.ts";
import { meetsConditions } from "./match-conditions.ts";
import type { ValidatingPolicy, Validation } from "./policy.ts";
import type { Activation } from "./variables.ts";

/** Why a policy refuses an object. */
export interface Decision {
  message: string;
  /** The reason of the Status. "" means Invalid. */
  reason: string;
}

/** Longer messages, and those with several lines, are not shown. */
const maximumMessageBytes = 5 * 1024;

/** Evaluates a policy, and returns its refusals (validating.Validator of k8s.io/apiserver). */
export function validatePolicy(
  policy: ValidatingPolicy,
  request: Activation,
  param: ApiObject | null,
): Decision[] {
  const budget = { left: policyBudget };
  const activation: Activation = { ...request, params: param };
  activation.variables = lazyVariables(policy, activation, budget);
  const fail = (message: string): Decision[] =>
    policy.failurePolicy === "Ignore" ? [] : [{ message, reason: "" }];

  const met = meetsConditions(policy.matchConditions, activation, policy.failurePolicy);
  if (met === false) return [];
  if (met !== true) return fail(met.error);
  try {
    const decisions = policy.validations.flatMap((validation) => {
      const { value, error } = validation.program.evaluate(activation, budget);
      if (error !== undefined) return fail(error);
      return value === true ? [] : [refuse(validation, activation, budget)];
    });
    return [...decisions, ...auditErrors(policy, activation).flatMap(fail)];
  } catch (error) {
    if (error instanceof BudgetError) return fail(error.message);
    throw error;
  }
}

function refuse(validation: Validation, activation: Activation, budget: { left: number }): Decision {
  const { messageExpression, message, expression, reason } = validation;
  const evaluated = messageExpression?.evaluate(activation, budget).value;
  const shown = typeof evaluated === "string" ? evaluated.trim() : "";
  const usable = Buffer.byteLength(shown) <= maximumMessageBytes && !shown.includes("\n") ? shown : "";
  return { message: usable || message.trim() || `failed expression: ${expression.trim()}`, reason };
}

/**
 * Returns errors of audit annotations. There is no audit log here, but an annotation that fails is still an
 * error.
 */
function auditErrors({ auditAnnotations }: ValidatingPolicy, activation: Activation): string[] {
  const budget = { left: policyBudget };
  return auditAnnotations.flatMap(({ program, expression }) => {
    const { value, error } = program.evaluate(activation, budget);
    if (error !== undefined) return [error];
    if (value === null || typeof value === "string") return [];
    return [
      `valueExpression '${expression}' resulted in unsupported return type. Return type must be either string or null.`,
    ];
  });
}

/**
 * Returns the variables of a policy. Each is evaluated once, at its first use, and may use those before it.
 */
export function lazyVariables(
  { variables }: { variables: readonly { name: string; program: PolicyExpression }[] },
  activation: Activation,
  budget: { left: number },
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, program } of variables) {
    let known: Evaluation | undefined;
    Object.defineProperty(values, name, {
      enumerable: true,
      get() {
        known ??= program.evaluate({ ...activation, variables: values }, budget);
        if (known.error !== undefined) {
          throw new CelEvaluationError(
            `composited variable ${JSON.stringify(name)} fails to evaluate: ${known.cause}`,
          );
        }
        return known.value;
      },
    });
  }
  return values;
}
