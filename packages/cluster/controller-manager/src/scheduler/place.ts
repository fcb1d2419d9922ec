import type { Node, Pod, Taint } from "@operator-path/client";
import { compare, nameOf } from "../objects.ts";
import { controllerOf } from "../ownership.ts";
import { isTerminal } from "../pods.ts";
import { matchesNodeAffinity } from "./node-affinity.ts";
import { insufficientResources } from "./resources.ts";
import { notReadyTaint, toleratesAll, unschedulableTaint } from "./tolerations.ts";
import { type PodVolumes, reachesVolume } from "./volumes.ts";

/** A node, or why there is none, in the words of kube-scheduler. */
export type Placement = { node: string } | { message: string };

/**
 * Chooses a node for a Pod: of those that it may and can run on the one with the fewest Pods of the same controller, then
 * the fewest Pods. Depends on its arguments only.
 *
 * @param volumes what its claims allow.
 * @param podsOn the Pods that are on a node, those that are on their way to it included.
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

/** What speaks against a node. Only the first kind of reason is told, in the order of the scheduler's plugins. */
function refusalsOf(pod: Pod, node: Node, onNode: Pod[]): string[] {
  const tolerations = pod.spec?.tolerations ?? [];
  const cordon: Taint = { key: unschedulableTaint, effect: "NoSchedule" };
  if (node.spec?.unschedulable && !toleratesAll(tolerations, [cordon])) return [unschedulable];
  if (!toleratesAll(tolerations, [...(node.spec?.taints ?? []), ...readinessTaints(node)]))
    return [untolerated];
  if (!matchesNodeAffinity(pod, node)) return [mismatched];
  return insufficientResources(pod, node, onNode);
}

/** A node that is not ready counts as tainted already: the controller that taints it may be a moment behind. */
function readinessTaints(node: Node): Taint[] {
  const isReady =
    node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
  return isReady ? [] : [{ key: notReadyTaint, effect: "NoSchedule" }];
}

function isSibling(pod: Pod, other: Pod): boolean {
  const controller = controllerOf(pod);
  return controller !== undefined && controllerOf(other)?.uid === controller.uid;
}

/** @param general what holds for every node */
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

/** "2 node(s) were unschedulable, 3 Insufficient cpu" */
function histogram(reasons: string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort(compare)
    .join(", ");
}
