import type { KubeObject, Pod } from "@operator-path/client";
import type { Informers } from "../informers.ts";
import { namespaceOf, uidOf } from "../objects.ts";
import { controllerOf } from "../ownership.ts";
import { desiredReplicas } from "../replicas.ts";

/** Finds out how many Pods a controller of another kind wants: through its scale subresource. Undefined when it is gone. */
export type AskScale = (
  pod: Pod,
  controller: NonNullable<ReturnType<typeof controllerOf>>,
) => Promise<number | undefined>;

export interface ExpectedPods {
  count: number;
  /** Names of Pods that no controller stands behind: how many of them there should be, nobody knows. */
  unmanaged: string[];
}

/**
 * How many Pods the controllers of these Pods want, all together: what a percentage or maxUnavailable of a
 * PodDisruptionBudget is counted of. A ReplicaSet of a Deployment counts as its Deployment.
 * (pkg/controller/disruption: getExpectedScale.)
 *
 * @throws Error in the words of Kubernetes when a controller does not say
 */
export async function expectedPods(
  pods: Pod[],
  informers: Informers,
  askScale: AskScale,
): Promise<ExpectedPods> {
  const scales = new Map<string, number>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined) {
      unmanaged.push(pod.metadata?.name ?? "");
      continue;
    }
    if (scales.has(controller.uid)) continue;
    const known = cachedScale(pod, informers);
    const scale = known ?? { uid: controller.uid, replicas: await askScale(pod, controller) };
    scales.set(controller.uid, 0);
    if (scale.replicas !== undefined) scales.set(scale.uid, scale.replicas);
  }
  let count = 0;
  for (const scale of scales.values()) count += scale;
  return { count, unmanaged };
}

/** Of the kinds that are cached anyway. */
function cachedScale(
  pod: Pod,
  informers: Informers,
): { uid: string; replicas: number | undefined } | undefined {
  const controller = controllerOf(pod);
  const namespace = namespaceOf(pod);
  const named = <T extends KubeObject>(object: T | undefined, uid: string) =>
    object !== undefined && uidOf(object) === uid ? object : undefined;
  if (controller?.apiVersion !== "apps/v1") return undefined;
  const { kind, name, uid } = controller;
  if (kind === "StatefulSet") {
    const set = named(informers.statefulSets.lister.namespace(namespace).get(name), uid);
    return { uid, replicas: set && desiredReplicas(set) };
  }
  if (kind !== "ReplicaSet") return undefined;
  const replicaSet = named(informers.replicaSets.lister.namespace(namespace).get(name), uid);
  const owner = replicaSet && controllerOf(replicaSet);
  if (owner?.kind !== "Deployment") return { uid, replicas: replicaSet && desiredReplicas(replicaSet) };
  const deployment = named(informers.deployments.lister.namespace(namespace).get(owner.name), owner.uid);
  return { uid: owner.uid, replicas: deployment && desiredReplicas(deployment) };
}
