import { qosClass } from "../../../kinds/core/pod/strategy.ts";
import type { ApiObject, JsonObject } from "../../../lib/json/json.ts";
import { object, objects, text, texts } from "../../../lib/json/read.ts";
import type { CountedResource } from "./usage.ts";

/**
 * Returns whether a quota applies to an object: all of its scopes must match. A quota without scopes applies
 * to everything.
 */
export function matchesScopes(spec: JsonObject, resource: CountedResource, item: ApiObject): boolean {
  const expressions = [
    ...texts(spec.scopes).map((scopeName): JsonObject => ({ scopeName, operator: "Exists" })),
    ...objects(object(spec.scopeSelector).matchExpressions),
  ];
  if (expressions.length === 0) return true;
  // Only Pods have scopes. (So have claims, by volume attributes classes, which are not served here.)
  if (resource.group !== "" || resource.plural !== "pods") return false;
  return expressions.every((expression) => matchesScope(expression, item));
}

function matchesScope({ scopeName, operator, values }: JsonObject, pod: ApiObject): boolean {
  const spec = object(pod.spec);
  switch (scopeName) {
    case "Terminating":
      return isTerminating(spec);
    case "NotTerminating":
      return !isTerminating(spec);
    case "BestEffort":
      return qosClass(spec) === "BestEffort";
    case "NotBestEffort":
      return qosClass(spec) !== "BestEffort";
    case "PriorityClass": {
      const name = text(spec.priorityClassName);
      if (operator === "In") return texts(values).includes(name);
      if (operator === "NotIn") return !texts(values).includes(name);
      return operator === "Exists" ? name !== "" : name === "";
    }
    case "CrossNamespacePodAffinity":
      return reachesOtherNamespaces(spec);
    default:
      return false;
  }
}

/** Returns whether a Pod has a deadline. */
export function isTerminating({ activeDeadlineSeconds }: JsonObject): boolean {
  return typeof activeDeadlineSeconds === "number" && activeDeadlineSeconds >= 0;
}

function reachesOtherNamespaces(spec: JsonObject): boolean {
  const { podAffinity, podAntiAffinity } = object(spec.affinity);
  return [podAffinity, podAntiAffinity].map(object).some((affinity) => {
    const terms = [
      ...objects(affinity.requiredDuringSchedulingIgnoredDuringExecution),
      ...objects(affinity.preferredDuringSchedulingIgnoredDuringExecution).map(({ podAffinityTerm }) =>
        object(podAffinityTerm),
      ),
    ];
    return terms.some(
      ({ namespaces, namespaceSelector }) => texts(namespaces).length > 0 || namespaceSelector !== undefined,
    );
  });
}
