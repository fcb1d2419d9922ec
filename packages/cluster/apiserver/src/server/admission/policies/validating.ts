import {
  type AdmissionAttributes,
  type AdmissionContext,
  type AdmissionPlugin,
  forbiddenBy,
} from "../admission.ts";
import { reviewedObjects } from "../webhooks/convert.ts";
import { isExempt, match } from "../webhooks/matching.ts";
import type { Match } from "../webhooks/review.ts";
import { collectParams, PolicyConfigurationError, paramType } from "./params.ts";
import { type BoundPolicy, createPolicyReader, type PolicyBinding, type ValidatingPolicy } from "./policy.ts";
import { type Decision, validatePolicy } from "./validate-policy.ts";
import { type Activation, activationOf } from "./variables.ts";

/**
 * Returns the plugin that evaluates bound ValidatingAdmissionPolicies. A failed validation refuses the
 * request or causes a warning, as the binding says.
 */
export function validatingPolicies(): AdmissionPlugin {
  const read = createPolicyReader();
  return {
    name: "ValidatingAdmissionPolicy",
    validate(attributes, context) {
      const bound = read(context.store);
      if (bound.length === 0 || isExempt(attributes)) return;
      const matching = bound.flatMap((entry) => {
        const found = match(entry.policy.resources, attributes, context);
        return found === undefined ? [] : [{ ...entry, found }];
      });
      if (matching.length === 0) return;
      return askAll(matching, attributes, context);
    },
  };
}

interface Refusal extends Decision {
  policy: ValidatingPolicy;
  /** Undefined if the policy itself is invalid. */
  binding: PolicyBinding | undefined;
}

async function askAll(
  matching: readonly (BoundPolicy & { found: Match })[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<void> {
  const refusals: Refusal[] = [];
  for (const { policy, bindings, found } of matching) {
    const objects = await reviewedObjects(attributes, found, context);
    const activation = activationOf(attributes, found, objects, context);
    refusals.push(...askPolicy(policy, bindings, activation, attributes, context));
  }
  const [first] = refusals;
  if (first !== undefined) throw denial(attributes, first);
}

function askPolicy(
  policy: ValidatingPolicy,
  bindings: readonly PolicyBinding[],
  activation: Activation,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Refusal[] {
  const misconfigured = (error: unknown, binding: PolicyBinding | undefined): Refusal[] => {
    if (!(error instanceof PolicyConfigurationError)) throw error;
    return policy.failurePolicy === "Ignore" ? [] : [{ policy, binding, message: error.message, reason: "" }];
  };
  let type: ReturnType<typeof paramType> | undefined;
  try {
    type = policy.paramKind === undefined ? undefined : paramType(policy.paramKind, context);
  } catch (error) {
    return misconfigured(error, undefined);
  }
  return bindings.filter(isMeant).flatMap((binding) => {
    try {
      const decisions = collectParams(type, binding.paramRef, attributes, context).flatMap((param) =>
        validatePolicy(policy, activation, param),
      );
      return decisions.flatMap((decision) => carryOut({ ...decision, policy, binding }, attributes));
    } catch (error) {
      return misconfigured(error, binding);
    }
  });

  function isMeant({ resources }: PolicyBinding): boolean {
    return resources === undefined || match(resources, attributes, context) !== undefined;
  }
}

/** Carries out the validationActions of a binding. There is no audit log here. */
function carryOut(
  refusal: Refusal & { binding: PolicyBinding },
  { request }: AdmissionAttributes,
): Refusal[] {
  const { policy, binding, message } = refusal;
  return binding.validationActions.flatMap((action) => {
    if (action === "Warn") {
      request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
      );
    }
    return action === "Deny" ? [refusal] : [];
  });
}

const codes: Record<string, number> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function denial(attributes: AdmissionAttributes, { policy, binding, message, reason }: Refusal) {
  const by = binding === undefined ? "" : ` with binding '${binding.name}'`;
  const why = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`;
  const error = forbiddenBy(attributes, why);
  error.status.reason = reason || "Invalid";
  error.status.code = codes[reason] ?? 422;
  error.status.details = { ...error.status.details, causes: [{ message: why }] };
  return error;
}
