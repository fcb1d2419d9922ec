import {
  approximate,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  parseQuantity,
  type Quantity,
  type Taint,
  type Toleration,
} from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import type { Informers } from "../informers.ts";
import { compare, isBeingDeleted, nameOf, namespaceOf } from "../objects.ts";
import { controllerOf } from "../ownership.ts";
import { isTerminal } from "../pods.ts";
import { isBound, waitsForConsumer } from "../volume/claims.ts";

/** A node, or kube-scheduler's message why no node fits. */
type Placement = { node: string } | { message: string };

/**
 * Chooses a node for a Pod. Of the nodes that fit, takes the one with the fewest Pods of the same controller,
 * then the one with the fewest Pods. A pure function.
 *
 * @param volumes the constraints of its claims
 * @param podsOn returns the Pods on a node, including those being bound to it
 */
export function place(
  pod: Pod,
  nodes: Node[],
  podsOn: (nodeName: string) => Pod[],
  { refusal, volumes }: Pick<PodVolumes, "refusal" | "volumes"> = { volumes: [] },
): Placement {
  if (nodes.length === 0) return { message: "no nodes available to schedule pods" };
  if (refusal !== undefined)
    return {
      message: explain(
        nodes.map(() => []),
        refusal,
      ),
    };
  const refusals = new Map<string, string[]>();
  const fitting: { name: string; siblings: number; pods: number }[] = [];
  for (const node of nodes) {
    const name = nameOf(node);
    const running = podsOn(name).filter((other) => !isTerminal(other));
    const reasons = refusalsOf(pod, node, running);
    if (reasons.length === 0 && !volumes.every((volume) => reachesVolume(node, volume)))
      reasons.push(unreachable);
    if (reasons.length > 0) refusals.set(name, reasons);
    else
      fitting.push({
        name,
        siblings: running.filter((other) => isSibling(pod, other)).length,
        pods: running.length,
      });
  }
  const [best] = fitting.sort(
    (a, b) => a.siblings - b.siblings || a.pods - b.pods || compare(a.name, b.name),
  );
  return best === undefined ? { message: explain([...refusals.values()]) } : { node: best.name };
}

const unschedulable = "node(s) were unschedulable";
const untolerated = "node(s) had untolerated taint(s)";
const unreachable = "node(s) didn't match PersistentVolume's node affinity";
const mismatched = "node(s) didn't match Pod's node affinity/selector";

/**
 * Returns why a Pod does not fit on a node. Only the first failing plugin reports, in the scheduler's order.
 */
function refusalsOf(pod: Pod, node: Node, onNode: Pod[]): string[] {
  const tolerations = pod.spec?.tolerations ?? [];
  const cordon: Taint = { key: unschedulableTaint, effect: "NoSchedule" };
  if (node.spec?.unschedulable && !toleratesAll(tolerations, [cordon])) return [unschedulable];
  if (!toleratesAll(tolerations, [...(node.spec?.taints ?? []), ...readinessTaints(node)]))
    return [untolerated];
  if (!matchesNodeAffinity(pod, node)) return [mismatched];
  return insufficientResources(pod, node, onNode);
}

/** A node that is not ready counts as tainted, because the controller that taints it may lag. */
function readinessTaints(node: Node): Taint[] {
  const isReady =
    node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
  return isReady ? [] : [{ key: notReadyTaint, effect: "NoSchedule" }];
}

function isSibling(pod: Pod, other: Pod): boolean {
  const controller = controllerOf(pod);
  return controller !== undefined && controllerOf(other)?.uid === controller.uid;
}

/**
 * Writes kube-scheduler's message.
 *
 * @param general a reason that applies to every node
 */
function explain(refusals: string[][], general?: string): string {
  const isFinal = (reasons: string[]) =>
    general !== undefined || reasons.some((reason) => reason.startsWith("node(s)"));
  const preemption = refusals.map((reasons) =>
    isFinal(reasons)
      ? "Preemption is not helpful for scheduling"
      : "No preemption victims found for incoming pod",
  );
  const available = `0/${refusals.length} nodes are available:`;
  return `${available} ${general ?? histogram(refusals.flat())}. no new claims to deallocate, preemption: ${available} ${histogram(preemption)}.`;
}

/** Counts the reasons: "2 node(s) were unschedulable, 3 Insufficient cpu" */
function histogram(reasons: string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort(compare)
    .join(", ");
}

/** Amounts by resource name, in base units (cores, bytes, pieces). */
type Amounts = Map<string, number>;

/**
 * Returns a Pod's resource requests: the sum of its containers, or the largest init container if that is
 * more, since those run before them one by one. An init container with restartPolicy Always is a sidecar and
 * adds to the sum.
 */
export function requests(pod: Pod): Amounts {
  const { containers = [], initContainers = [], overhead } = pod.spec ?? {};
  const total: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of initContainers) {
    const asked = amounts(container.resources?.requests);
    if (container.restartPolicy === "Always") add(total, asked);
    else for (const [name, amount] of asked) raise(peak, name, amount + (total.get(name) ?? 0));
  }
  for (const container of containers) add(total, amounts(container.resources?.requests));
  for (const [name, amount] of peak) raise(total, name, amount);
  add(total, amounts(overhead));
  return total;
}

/** Returns why a Pod does not fit beside the Pods of a node. Empty if it fits. */
function insufficientResources(pod: Pod, node: Node, onNode: Pod[]): string[] {
  const allocatable = amounts(node.status?.allocatable);
  const used: Amounts = new Map();
  for (const other of onNode) add(used, requests(other));

  const reasons: string[] = [];
  if (onNode.length + 1 > (allocatable.get("pods") ?? Number.POSITIVE_INFINITY))
    reasons.push("Too many pods");
  for (const [name, amount] of requests(pod)) {
    // Tolerates the rounding error of decimal sums. A nano is below the precision of a quantity.
    if (amount > 0 && amount + (used.get(name) ?? 0) > (allocatable.get(name) ?? 0) + 1e-9) {
      reasons.push(`Insufficient ${name}`);
    }
  }
  return reasons;
}

function amounts(quantities: Record<string, Quantity> | undefined): Amounts {
  return new Map(
    Object.entries(quantities ?? {}).map(([name, text]) => [name, approximate(parseQuantity(text))]),
  );
}

function add(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0) + amount);
}

function raise(total: Amounts, name: string, amount: number): void {
  total.set(name, Math.max(total.get(name) ?? 0, amount));
}

type NodeSelector = NonNullable<
  NonNullable<
    NonNullable<NonNullable<Pod["spec"]>["affinity"]>["nodeAffinity"]
  >["requiredDuringSchedulingIgnoredDuringExecution"]
>;
type Term = NodeSelector["nodeSelectorTerms"][number];
type Requirement = NonNullable<Term["matchExpressions"]>[number];

/** Whether a node matches a Pod's spec.nodeSelector and required node affinity. */
export function matchesNodeAffinity(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selected = Object.entries(pod.spec?.nodeSelector ?? {}).every(
    ([key, value]) => labels[key] === value,
  );
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return selected && (required === undefined || matchesNodeSelector(required, node));
}

/** One term must match. */
function matchesNodeSelector(selector: NodeSelector, node: Node): boolean {
  return selector.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** All parts of a term must match. An empty term matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: Term, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields: Record<string, string> = { "metadata.name": nameOf(node) };
  return (
    matchExpressions.every((requirement) => matches(requirement, node.metadata?.labels ?? {})) &&
    matchFields.every((requirement) => matches(requirement, fields))
  );
}

/**
 * Supports the operators of label selectors, and two that only node selectors have. An unknown operator
 * matches nothing.
 */
function matches(requirement: Requirement, labels: Record<string, string>): boolean {
  const { key, operator, values = [] } = requirement;
  const value = labels[key];
  switch (operator) {
    case "In":
    case "NotIn":
    case "Exists":
    case "DoesNotExist":
      return matchLabels({ matchExpressions: [requirement] }, labels);
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

const unschedulableTaint = "node.kubernetes.io/unschedulable";
const notReadyTaint = "node.kubernetes.io/not-ready";

/** Whether a Pod may be placed on a node with these taints. PreferNoSchedule is only a preference. */
export function toleratesAll(tolerations: Toleration[], taints: Taint[]): boolean {
  return taints
    .filter(({ effect }) => effect === "NoSchedule" || effect === "NoExecute")
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
}

/**
 * With operator Exists, an empty key tolerates every taint. An empty effect tolerates every effect (core/v1
 * Toleration).
 */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === "Exists") return true;
  return toleration.key !== undefined && (toleration.value ?? "") === (taint.value ?? "");
}

/** How a Pod's claims constrain its node. */
interface PodVolumes {
  /** kube-scheduler's message why the Pod cannot run anywhere yet. */
  refusal?: string;
  /** Its bound volumes. Each may be reachable from some nodes only. */
  volumes: PersistentVolume[];
  /** Claims whose volume is provisioned after a node was chosen. */
  waiting: PersistentVolumeClaim[];
}

export function podVolumes(pod: Pod, informers: Informers): PodVolumes {
  const result: PodVolumes = { volumes: [], waiting: [] };
  for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const { claimName } = persistentVolumeClaim;
    const quoted = JSON.stringify(claimName);
    const claim = informers.persistentVolumeClaims.lister.namespace(namespaceOf(pod)).get(claimName);
    if (claim === undefined) return { ...result, refusal: `persistentvolumeclaim ${quoted} not found` };
    if (isBeingDeleted(claim))
      return { ...result, refusal: `persistentvolumeclaim ${quoted} is being deleted` };
    if (isBound(claim)) {
      const volume = informers.persistentVolumes.lister.get(claim.spec?.volumeName ?? "");
      if (volume === undefined) {
        return { ...result, refusal: `persistentvolume ${JSON.stringify(claim.spec?.volumeName)} not found` };
      }
      result.volumes.push(volume);
    } else {
      const storageClass = informers.storageClasses.lister.get(claim.spec?.storageClassName ?? "");
      if (!waitsForConsumer(storageClass)) {
        return { ...result, refusal: "pod has unbound immediate PersistentVolumeClaims" };
      }
      result.waiting.push(claim);
    }
  }
  return result;
}

/** Whether the caches of claims and volumes have synced. Only Pods with claims wait for them. */
export function volumesAreKnown({
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
}: Informers): boolean {
  return [persistentVolumeClaims, persistentVolumes, storageClasses].every((informer) =>
    informer.hasSynced(),
  );
}

export function hasClaims({ spec }: Pod): boolean {
  return spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined) ?? false;
}

/** Whether a node can reach a volume. */
function reachesVolume(node: Node, { spec }: PersistentVolume): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, node);
}
