import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

const perQuarterMinute = { periodSeconds: 15 };
const allPods = { type: "Percent", value: 100, ...perQuarterMinute };
const fourPods = { type: "Pods", value: 4, ...perQuarterMinute };

/** autoscaling/v2 */
export function defaultHorizontalPodAutoscaler(object: JsonObject): void {
  const spec = ensureObject(object, "spec");
  setDefault(spec, "minReplicas", 1);
  if (objectsOf(spec.metrics).length === 0) {
    const target = { type: "Utilization", averageUtilization: 80 };
    spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  }
  if (!isJsonObject(spec.behavior)) return;
  const { behavior } = spec;
  defaultRules(ensureObject(behavior, "scaleUp"), [fourPods, allPods]);
  setDefault(ensureObject(behavior, "scaleUp"), "stabilizationWindowSeconds", 0);
  defaultRules(ensureObject(behavior, "scaleDown"), [allPods]);
}

function defaultRules(rules: JsonObject, policies: readonly JsonObject[]): void {
  setDefault(rules, "selectPolicy", "Max");
  if (objectsOf(rules.policies).length === 0) rules.policies = policies.map((policy) => ({ ...policy }));
}
