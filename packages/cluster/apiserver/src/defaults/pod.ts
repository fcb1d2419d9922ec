import { forbidden } from "../errors.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../json.ts";
import { defaultPodSpec } from "./pod-spec.ts";
import { ensureObject, objectsOf, setDefault } from "./set-default.ts";

/** core/v1 Pod: what holds for a Pod and not for a template (SetDefaults_Pod). */
export function defaultPod(pod: JsonObject): void {
  const spec = ensureObject(pod, "spec");
  for (const list of ["initContainers", "containers"]) {
    for (const container of objectsOf(spec[list])) requestWhatIsLimited(container);
  }
  setDefault(spec, "enableServiceLinks", true);
  defaultPodSpec(spec);
}

/** A container that says what it may use, and not what it needs, needs that much. */
function requestWhatIsLimited(container: JsonObject): void {
  const { resources } = container;
  if (!isJsonObject(resources) || !isJsonObject(resources.limits)) return;
  resources.requests = {
    ...resources.limits,
    ...(isJsonObject(resources.requests) ? resources.requests : {}),
  };
}

/** Class names that every cluster has, though nobody makes objects for them here. */
const systemClasses: Record<string, PriorityClass> = {
  "system-node-critical": { value: 2_000_001_000 },
  "system-cluster-critical": { value: 2_000_000_000 },
};

export interface PriorityClass {
  value: number;
  preemptionPolicy?: string;
}

/**
 * What a real server's default admission plugins add to a new Pod, its ServiceAccount aside: priority (Priority) and
 * five minutes of patience with a node that is lost (DefaultTolerationSeconds).
 * @throws ApiStatusError 403: no such class, or another priority than that of the class
 */
export function admitPod(pod: ApiObject, findClass: (name: string) => PriorityClass | undefined): void {
  const spec = ensureObject(pod, "spec");
  const className = typeof spec.priorityClassName === "string" ? spec.priorityClassName : "";
  const found = className === "" ? { value: 0 } : (findClass(className) ?? systemClasses[className]);
  const name = pod.metadata.name ?? "";
  if (found === undefined) {
    throw forbidden("", "pods", name, `no PriorityClass with name ${className} was found`);
  }
  if (typeof spec.priority === "number" && spec.priority !== found.value) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${found.value} from the given PriorityClass name`;
    throw forbidden("", "pods", name, why);
  }
  spec.priority = found.value;
  setDefault(spec, "preemptionPolicy", found.preemptionPolicy ?? "PreemptLowerPriority");
  // Negative ones were once stored, and are still read as one second.
  if (Number(spec.terminationGracePeriodSeconds) < 0) spec.terminationGracePeriodSeconds = 1;
  tolerateLostNode(spec);
}

/** DefaultTolerationSeconds: on updates as well. */
export function tolerateLostNode(spec: JsonObject): void {
  const tolerations = objectsOf(spec.tolerations);
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const tolerated = tolerations.some(
      (toleration) =>
        (toleration.key === key || !toleration.key) &&
        (toleration.effect === "NoExecute" || !toleration.effect),
    );
    if (!tolerated) {
      tolerations.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
    }
  }
  if (tolerations.length > 0) spec.tolerations = tolerations;
}
