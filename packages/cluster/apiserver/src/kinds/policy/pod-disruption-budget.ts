import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, notSupported } from "../../apimachinery/validation/cause.ts";
import { validateLabelSelector } from "../../apimachinery/validation/label-selector.ts";
import { validateAmount, validateAtMostAll } from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";

/** Validates a policy/v1 PodDisruptionBudget. */
function validatePodDisruptionBudget(budget: ApiObject): StatusCause[] {
  const spec = object(budget.spec);
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const causes: StatusCause[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const inner = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: policy ?? null,
    };
    causes.push(invalid("spec", inner, "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const key of ["minAvailable", "maxUnavailable"]) {
    if (spec[key] === undefined) continue;
    causes.push(...validateAmount(spec[key], `spec.${key}`), ...validateAtMostAll(spec[key], `spec.${key}`));
  }
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  if (policy !== undefined && !policies.includes(text(policy))) {
    causes.push(notSupported("spec.unhealthyPodEvictionPolicy", policy, policies));
  }
  if (isJsonObject(selector)) causes.push(...validateLabelSelector(selector, "spec.selector"));
  return causes;
}

interface PodDisruptionBudget extends Named {
  spec?: { minAvailable?: number | string; maxUnavailable?: number | string };
  status?: { disruptionsAllowed?: number };
}

const podDisruptionBudgetPrinter = definePrinter<PodDisruptionBudget>((object, context) => [
  nameOf(object),
  String(object.spec?.minAvailable ?? "N/A"),
  String(object.spec?.maxUnavailable ?? "N/A"),
  object.status?.disruptionsAllowed ?? 0,
  ageOf(object, context),
]);

/** policy/v1 PodDisruptionBudget. */
export const podDisruptionBudgetKind: BuiltInKind = {
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    initialStatus: () => ({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  },
  validate: validatePodDisruptionBudget,
  printer: podDisruptionBudgetPrinter,
};
