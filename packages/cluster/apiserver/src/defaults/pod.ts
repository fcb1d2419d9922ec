import { isJsonObject, type JsonObject } from "../json.ts";
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

/**
 * What a real server's default admission plugins add to a new Pod, its ServiceAccount aside: priority (Priority) and
 * five minutes of patience with a node that is lost (DefaultTolerationSeconds).
 */
export function admitPod(pod: JsonObject): void {
  const spec = ensureObject(pod, "spec");
  setDefault(spec, "priority", priorityOf(spec.priorityClassName));
  setDefault(spec, "preemptionPolicy", "PreemptLowerPriority");
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

/** The two classes that every cluster has. Others are objects, and none of this file's business. */
function priorityOf(className: unknown): number {
  if (className === "system-node-critical") return 2_000_001_000;
  if (className === "system-cluster-critical") return 2_000_000_000;
  return 0;
}
