import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";
import { validateAutoscaler, validateAutoscalerStatus } from "./validate-autoscaler.ts";

const perQuarterMinute = { periodSeconds: 15 };
const allPods = { type: "Percent", value: 100, ...perQuarterMinute };
const fourPods = { type: "Pods", value: 4, ...perQuarterMinute };

/** Sets the defaults of an autoscaling/v2 HorizontalPodAutoscaler. */
function defaultHorizontalPodAutoscaler(object: JsonObject): void {
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

interface Target {
  type?: string;
  averageUtilization?: number;
  averageValue?: string;
  value?: string;
}
interface Metric {
  type?: string;
  [source: string]: unknown;
}
interface HorizontalPodAutoscaler extends Named {
  spec?: {
    scaleTargetRef?: { kind?: string; name?: string };
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: Metric[];
  };
  status?: { currentReplicas?: number };
}

/** This cluster has no metrics, so the current value of each target is unknown. */
const horizontalPodAutoscalerPrinter = definePrinter<HorizontalPodAutoscaler>(
  ({ spec = {}, status, ...object }, context) => [
    nameOf(object),
    `${spec.scaleTargetRef?.kind}/${spec.scaleTargetRef?.name}`,
    targetsOf(spec.metrics ?? []),
    spec.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
    spec.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(object, context),
  ],
);

function targetsOf(metrics: readonly Metric[]): string {
  if (metrics.length === 0) return "<none>";
  const shown = metrics.slice(0, 2).map(targetOf);
  return metrics.length > 2 ? `${shown.join(", ")} + ${metrics.length - 2} more...` : shown.join(", ");
}

function targetOf(metric: Metric): string {
  const { type = "" } = metric;
  const source = metric[`${type.slice(0, 1).toLowerCase()}${type.slice(1)}`] as
    | { name?: string; target?: Target }
    | undefined;
  const { averageUtilization, averageValue, value } = source?.target ?? {};
  if (type !== "Resource" && type !== "ContainerResource") {
    return averageValue !== undefined ? `<unknown>/${averageValue} (avg)` : `<unknown>/${value}`;
  }
  const wanted = averageValue ?? (averageUtilization === undefined ? "<auto>" : `${averageUtilization}%`);
  return `${source?.name}: <unknown>/${wanted}`;
}

/** autoscaling/v2 HorizontalPodAutoscaler. */
export const horizontalPodAutoscalerKind: BuiltInKind = {
  strategy: { initialStatus: () => ({ currentMetrics: null, desiredReplicas: 0 }) },
  setDefaults: defaultHorizontalPodAutoscaler,
  validate: validateAutoscaler,
  validateSubresource: { status: validateAutoscalerStatus },
  printer: horizontalPodAutoscalerPrinter,
};
