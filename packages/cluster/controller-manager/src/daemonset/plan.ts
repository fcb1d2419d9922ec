import { type DaemonSet, daemonSets, type Node, type Pod, type Toleration } from "@operator-path/client";
import { byCreationTimestamp, isBeingDeleted, nameOf } from "../objects.ts";
import { podFromTemplate } from "../pod-control.ts";
import { isReady, isTerminal, millisecondsUntilAvailable, nonZero, scaledValue } from "../pods.ts";
import { matchesNodeAffinity, toleratesAll } from "../scheduler/place.ts";

interface DaemonPlan {
  /** Names of nodes. */
  create: string[];
  remove: Pod[];
  /** Finished Pods to replace. Failed ones are replaced with backoff. */
  ended: Pod[];
}

function isUpdated(pod: Pod, hash: string): boolean {
  return pod.metadata?.labels?.[hashLabel] === hash;
}

/** Groups Pods by node, including unbound Pods that target a node. The key "" holds Pods without a target. */
function podsByNode(pods: Pod[]): Map<string, Pod[]> {
  const onNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = targetNode(pod) ?? "";
    onNode.set(node, [...(onNode.get(node) ?? []), pod]);
  }
  return onNode;
}

/**
 * Plans one Pod per matching node. A missing Pod is created and a finished one replaced. Of several, the
 * oldest stays. During a surging update, one Pod of the latest revision may run beside it.
 * (pkg/controller/daemon: podsShouldBeOnNode.)
 */
export function planPlacement(daemonSet: DaemonSet, nodes: Node[], pods: Pod[], hash: string): DaemonPlan {
  const plan: DaemonPlan = { create: [], remove: [], ended: [] };
  const onNode = podsByNode(pods);
  for (const node of nodes) {
    const name = nameOf(node);
    const here = onNode.get(name) ?? [];
    onNode.delete(name);
    const { shouldRun, mayStay } = fitsNode(daemonSet, node);
    const alive = here.filter((pod) => !isBeingDeleted(pod));
    if (!mayStay) plan.remove.push(...alive);
    else {
      if (shouldRun && here.length === 0) plan.create.push(name);
      plan.ended.push(...alive.filter(isTerminal));
      plan.remove.push(
        ...surplus(
          daemonSet,
          alive.filter((pod) => !isTerminal(pod)),
          hash,
        ),
      );
    }
  }
  // Unbound Pods of deleted nodes can never run. The Pod garbage collector deletes the bound ones.
  const nowhere = [...onNode.values()].flat().filter((pod) => !pod.spec?.nodeName && !isBeingDeleted(pod));
  plan.remove.push(...nowhere);
  return plan;
}

function surplus(daemonSet: DaemonSet, running: Pod[], hash: string): Pod[] {
  const sorted = running.toSorted(
    (a, b) => Number(!a.spec?.nodeName) - Number(!b.spec?.nodeName) || byCreationTimestamp(a, b),
  );
  if (maxSurge(daemonSet, 1) === 0) return sorted.slice(1);
  const old = sorted.filter((pod) => !isUpdated(pod, hash));
  return [...old.slice(1), ...sorted.filter((pod) => isUpdated(pod, hash)).slice(1)];
}

/**
 * Plans the next step of a rolling update: the old Pods to delete now, and the nodes that get a Pod of the
 * latest revision beside the old one. Unavailable Pods are replaced at once. (pkg/controller/daemon:
 * rollingUpdate.)
 */
export function planUpdate(
  daemonSet: DaemonSet,
  nodes: Node[],
  pods: Pod[],
  hash: string,
  now: number,
): Pick<DaemonPlan, "create" | "remove"> {
  const onNode = podsByNode(pods);
  const wanted = nodes.filter((node) => fitsNode(daemonSet, node).shouldRun).length;
  const surge = maxSurge(daemonSet, wanted);
  let unavailable = 0;
  let surging = 0;
  const atOnce: string[] = [];
  const later: string[] = [];
  const removeAtOnce: Pod[] = [];
  const removeLater: Pod[] = [];

  for (const node of nodes) {
    const name = nameOf(node);
    const alive = (onNode.get(name) ?? []).filter((pod) => !isBeingDeleted(pod) && !isTerminal(pod));
    const isAvailable = (pod: Pod) => isAvailableFor(daemonSet, pod, now);
    const [old, other] = alive.filter((pod) => !isUpdated(pod, hash));
    const [updated] = alive.filter((pod) => isUpdated(pod, hash));
    if (other !== undefined) unavailable++;
    else if (surge > 0) {
      if (old !== undefined && updated === undefined) (isAvailable(old) ? later : atOnce).push(name);
      else if (old !== undefined && updated !== undefined) {
        if (isAvailable(updated)) removeAtOnce.push(old);
        else surging++;
      }
    } else if (updated !== undefined && old === undefined) {
      if (!isAvailable(updated)) unavailable++;
    } else if (old === undefined || updated !== undefined) {
      if (fitsNode(daemonSet, node).shouldRun || alive.length > 0) unavailable++;
    } else (isAvailable(old) ? removeLater : removeAtOnce).push(old);
  }
  return {
    create: [...atOnce, ...later.slice(0, Math.max(0, surge - surging))],
    remove: [
      ...removeAtOnce,
      ...removeLater.slice(0, Math.max(0, maxUnavailable(daemonSet, wanted) - unavailable)),
    ],
  };
}

function isAvailableFor(daemonSet: DaemonSet, pod: Pod, now: number): boolean {
  return millisecondsUntilAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now) === 0;
}

function maxSurge({ spec }: DaemonSet, wanted: number): number {
  if (spec?.updateStrategy?.type === "OnDelete") return 0;
  return scaledValue(spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0, wanted, Math.ceil);
}

/**
 * If neither surge nor unavailability is allowed, one Pod may be unavailable. The update could not progress
 * otherwise.
 */
function maxUnavailable(daemonSet: DaemonSet, wanted: number): number {
  const value = daemonSet.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1;
  const allowed = scaledValue(value, wanted, Math.ceil);
  return allowed === 0 && maxSurge(daemonSet, wanted) === 0 ? 1 : allowed;
}

export const hashLabel = "controller-revision-hash";
const templateGenerationLabel = "pod-template-generation";
const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

/** DaemonSet Pods stay on unhealthy nodes, because they may be needed to diagnose or repair them. */
const conditionTolerations: Toleration[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];
const networkToleration: Toleration = {
  key: "node.kubernetes.io/network-unavailable",
  operator: "Exists",
  effect: "NoSchedule",
};

function tolerationsOf({ spec }: DaemonSet): Toleration[] {
  const podSpec = spec?.template?.spec;
  const added = podSpec?.hostNetwork ? [...conditionTolerations, networkToleration] : conditionTolerations;
  const own = podSpec?.tolerations ?? [];
  const isOwn = (one: Toleration) =>
    own.some(
      ({ key, effect, operator }) => key === one.key && effect === one.effect && operator === "Exists",
    );
  return [...own, ...added.filter((toleration) => !isOwn(toleration))];
}

/** Builds the Pod for one node. The scheduler binds it, and its node affinity matches only that node. */
export function daemonPod(daemonSet: DaemonSet, nodeName: string, hash: string): Pod {
  const pod = podFromTemplate(daemonSet.spec?.template, daemonSet, daemonSets);
  const { containers = [], ...spec } = pod.spec ?? { containers: [] };
  const generation = daemonSet.metadata?.annotations?.[templateGenerationAnnotation];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata?.labels,
        [hashLabel]: hash,
        ...(generation && { [templateGenerationLabel]: generation }),
      },
    },
    spec: {
      ...spec,
      containers,
      tolerations: tolerationsOf(daemonSet),
      affinity: {
        ...spec.affinity,
        nodeAffinity: {
          ...spec.affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchFields: [{ key: "metadata.name", operator: "In", values: [nodeName] }] },
            ],
          },
        },
      },
    },
  };
}

/** Returns the node that a Pod is bound to or targets. */
function targetNode({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator, values }) => key === "metadata.name" && operator === "In" && values?.length === 1)
    ?.values?.[0];
}

/**
 * Whether a node should get a Pod, and whether an existing one may stay. Only a NoExecute taint evicts
 * running Pods. Other taints keep new ones away. Readiness and cordons do not matter.
 */
function fitsNode(daemonSet: DaemonSet, node: Node): { shouldRun: boolean; mayStay: boolean } {
  const template = daemonSet.spec?.template ?? {};
  const { nodeName } = template.spec ?? {};
  if (nodeName && nodeName !== nameOf(node)) return { shouldRun: false, mayStay: false };
  const asPod: Pod = template.spec === undefined ? {} : { spec: template.spec };
  if (!matchesNodeAffinity(asPod, node)) return { shouldRun: false, mayStay: false };
  const tolerations = tolerationsOf(daemonSet);
  const taints = node.spec?.taints ?? [];
  return {
    shouldRun: toleratesAll(tolerations, taints),
    mayStay: toleratesAll(
      tolerations,
      taints.filter(({ effect }) => effect === "NoExecute"),
    ),
  };
}

export type DaemonSetStatus = NonNullable<DaemonSet["status"]>;

/**
 * Builds the status from the observed Pods. The counts are numbers of nodes, and the oldest Pod of a node
 * decides.
 */
export function daemonSetStatus(
  daemonSet: DaemonSet,
  nodes: Node[],
  pods: Pod[],
  { hash, collisionCount }: { hash: string; collisionCount: number | undefined },
  now: number,
): DaemonSetStatus {
  const onNode = podsByNode(pods);
  const count = { desired: 0, current: 0, mis: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const here = (onNode.get(nameOf(node)) ?? []).sort(byCreationTimestamp);
    if (!fitsNode(daemonSet, node).shouldRun) {
      if (here.length > 0) count.mis++;
      continue;
    }
    count.desired++;
    if (here.length === 0) continue;
    count.current++;
    const [ready] = here.filter((pod) => !isBeingDeleted(pod) && isReady(pod));
    if (ready !== undefined) {
      count.ready++;
      if (isAvailableFor(daemonSet, ready, now)) count.available++;
    }
    if (here.some((pod) => isUpdated(pod, hash))) count.updated++;
  }
  return {
    currentNumberScheduled: count.current,
    numberMisscheduled: count.mis,
    desiredNumberScheduled: count.desired,
    numberReady: count.ready,
    ...nonZero("observedGeneration", daemonSet.metadata?.generation),
    ...nonZero("updatedNumberScheduled", count.updated),
    ...nonZero("numberAvailable", count.available),
    ...nonZero("numberUnavailable", count.desired - count.available),
    ...(collisionCount !== undefined && { collisionCount }),
  };
}
