import { apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";
import { isJsonObject, own } from "../json.ts";
import { groupOf } from "../resources/group-of.ts";

/**
 * Returns whether a HorizontalPodAutoscaler sets the replicas of this object. The chart's `spec.replicas`
 * does not count then.
 */
export function isScaledBy(
  autoscaler: KubeObject,
  resource: Resource,
  { namespace, name }: ScaledKey,
): boolean {
  const { spec } = autoscaler as KubeObject & { spec?: unknown };
  const target = isJsonObject(spec) ? own(spec, "scaleTargetRef") : undefined;
  return (
    (autoscaler.metadata?.namespace ?? namespace) === namespace &&
    isJsonObject(target) &&
    own(target, "kind") === resource.kind &&
    own(target, "name") === name &&
    groupOf(`${own(target, "apiVersion") ?? ""}`) === groupOf(apiVersionOf(resource))
  );
}

interface ScaledKey {
  readonly namespace: string;
  readonly name: string;
}

export function isAutoscaler({ apiVersion = "", kind }: KubeObject): boolean {
  return kind === "HorizontalPodAutoscaler" && groupOf(apiVersion) === "autoscaling";
}

/**
 * Returns the object with the live number of replicas. Leaving them out would give the field up, and the
 * server removes a field that has no manager.
 */
export function withReplicasOf<T extends object>(object: T, live: KubeObject): T {
  const { spec: liveSpec } = live as KubeObject & { spec?: unknown };
  const replicas = isJsonObject(liveSpec) ? own(liveSpec, "replicas") : undefined;
  if (replicas === undefined || !("spec" in object) || !isJsonObject(object.spec)) return object;
  return "replicas" in object.spec ? { ...object, spec: { ...object.spec, replicas } } : object;
}
