import { type DaemonSet, daemonSets, type Node, type Pod, type Toleration } from "@operator-path/client";
import { nameOf } from "../objects.ts";
import { podFromTemplate } from "../pod-from-template.ts";
import { matchesNodeAffinity } from "../scheduler/node-affinity.ts";
import { toleratesAll } from "../scheduler/tolerations.ts";

export const hashLabel = "controller-revision-hash";
const templateGenerationLabel = "pod-template-generation";
const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

/** A DaemonSet's Pods stay on nodes that are in trouble: they may be what it can be seen or helped with. */
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

/** The Pod for one node. The scheduler binds it: its node affinity leaves no other choice. */
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

/** The node that a Pod is on, or is meant for. */
export function targetNode({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator, values }) => key === "metadata.name" && operator === "In" && values?.length === 1)
    ?.values?.[0];
}

/**
 * Whether a node is to have a Pod, and whether one that is there may stay. A taint that keeps new Pods away lets those
 * that run stay, unless it is NoExecute. Whether the node is ready or cordoned does not matter.
 */
export function fitsNode(daemonSet: DaemonSet, node: Node): { shouldRun: boolean; mayStay: boolean } {
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
