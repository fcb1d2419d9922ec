import { isDeepStrictEqual } from "node:util";
import { type Node, nodes, type Taint } from "@operator-path/client";
import { createWorkQueue } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { nameOf, timestamp } from "../objects.ts";

/** The taint key for each status of each condition. (nodelifecycle: nodeConditionToTaintKeyStatusMap.) */
const taintOfCondition: Record<string, Record<string, string>> = {
  Ready: { False: "node.kubernetes.io/not-ready", Unknown: "node.kubernetes.io/unreachable" },
  MemoryPressure: { True: "node.kubernetes.io/memory-pressure" },
  DiskPressure: { True: "node.kubernetes.io/disk-pressure" },
  PIDPressure: { True: "node.kubernetes.io/pid-pressure" },
  NetworkUnavailable: { True: "node.kubernetes.io/network-unavailable" },
};

const unschedulableTaint = "node.kubernetes.io/unschedulable";

/** The taints of a node that is not ready or unreachable, which also evict its Pods. */
const ending = new Set(Object.values(taintOfCondition.Ready ?? {}));

const managed = new Set([
  unschedulableTaint,
  ...Object.values(taintOfCondition).flatMap((byStatus) => Object.values(byStatus)),
]);

/**
 * Taints nodes according to their conditions, because the scheduler reads taints. A node registers with the
 * not-ready taint (a real API server adds it), and this controller removes it when the node is Ready. Taints
 * with other keys are left alone. (Kubernetes: pkg/controller/nodelifecycle, doNoScheduleTaintingPass and
 * doNoExecuteTaintingPass.)
 */
export function createNodeTaintController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  informers.nodes.addEventHandler({
    added: (node) => queue.add(nameOf(node)),
    updated: (_old, node) => queue.add(nameOf(node)),
  });
  return runController(context, { name: "node-taints", queue, workers: 1, reconcile });

  async function reconcile(name: string): Promise<void> {
    const node = informers.nodes.lister.get(name);
    if (node === undefined) return;
    const existing = node.spec?.taints ?? [];
    const taints = withConditionTaints(node, existing, clock.now());
    if (isDeepStrictEqual(taints, existing)) return;
    // A merge patch replaces the whole list, so it carries the resourceVersion that the list was computed
    // from.
    const { uid, resourceVersion } = node.metadata ?? {};
    const patch = { metadata: { uid, resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
    await client.resource(nodes).patch(name, patch, { type: "merge" });
  }
}

function withConditionTaints(node: Node, existing: Taint[], now: number): Taint[] {
  const keys = (node.status?.conditions ?? []).flatMap(
    ({ type, status }) => taintOfCondition[type]?.[status] ?? [],
  );
  if (node.spec?.unschedulable) keys.push(unschedulableTaint);
  const wanted = [
    ...keys.map((key): Taint => ({ key, effect: "NoSchedule" })),
    ...keys
      .filter((key) => ending.has(key))
      .map((key): Taint => ({ key, effect: "NoExecute", timeAdded: timestamp(now) })),
  ];
  const isSame = (a: Taint, b: Taint) => a.key === b.key && a.effect === b.effect;
  const isOurs = ({ key, effect }: Taint) =>
    (effect === "NoSchedule" && managed.has(key)) || (effect === "NoExecute" && ending.has(key));
  const kept = existing.filter((taint) => !isOurs(taint) || wanted.some((one) => isSame(one, taint)));
  return [...kept, ...wanted.filter((taint) => !kept.some((one) => isSame(one, taint)))];
}
