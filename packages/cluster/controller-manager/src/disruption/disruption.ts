import { isDeepStrictEqual } from "node:util";
import { isNotFound, type Pod, type PodDisruptionBudget } from "@operator-path/client";
import { createWorkQueue, keyOf, matchLabels, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { discoverResources } from "../discovery.ts";
import { messageOf } from "../error-message.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { namespaceOf } from "../objects.ts";
import { podDisruptionBudgets } from "../resources.ts";
import { type AskScale, expectedPods } from "./expected-pods.ts";
import {
  type BudgetStatus,
  budgetStatus,
  disruptedPods,
  disruptionTimeoutMs,
  failedStatus,
} from "./status.ts";

/**
 * Counts, for each PodDisruptionBudget, how many of its Pods may be evicted now. The API server's eviction subresource
 * asks nothing else. (Kubernetes: pkg/controller/disruption.)
 */
export function createDisruptionController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("controllermanager");
  const queue = createWorkQueue<string>({ clock });
  const cache = createMutationCache(informers.podDisruptionBudgets);
  const askScale = createAskScale(context);

  informers.podDisruptionBudgets.addEventHandler({
    added: (budget) => queue.add(keyOf(budget)),
    updated: (_old, budget) => queue.add(keyOf(budget)),
  });
  const podChanged = (pod: Pod) => {
    const inNamespace = informers.podDisruptionBudgets.lister.namespace(namespaceOf(pod));
    for (const budget of inNamespace.list()) if (selects(budget, pod)) queue.add(keyOf(budget));
  };
  informers.pods.addEventHandler({
    added: podChanged,
    updated(old, pod) {
      podChanged(old);
      podChanged(pod);
    },
    deleted: (pod) => podChanged(unwrapTombstone(pod)),
  });
  // How many Pods are wanted counts too; a change of it is rare.
  for (const informer of [informers.deployments, informers.replicaSets, informers.statefulSets]) {
    informer.addEventHandler({
      updated(old: { metadata?: { namespace?: string }; spec?: { replicas?: number } }, object: typeof old) {
        if (old.spec?.replicas !== object.spec?.replicas) namespaceChanged(object.metadata?.namespace ?? "");
      },
    });
  }
  return runController(context, { name: "disruption", queue, workers: 1, reconcile });

  function namespaceChanged(namespace: string): void {
    for (const budget of informers.podDisruptionBudgets.lister.namespace(namespace).list()) {
      queue.add(keyOf(budget));
    }
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const cached = informers.podDisruptionBudgets.lister.namespace(namespace).get(name);
    const budget = cached && cache.latest(cached);
    if (budget === undefined) return;
    const pods = informers.pods.lister
      .namespace(namespace)
      .list()
      .filter((pod) => selects(budget, pod));
    if (pods.length === 0) recorder.event(budget, "Normal", "NoPods", "No matching pods found");
    let expected: number;
    try {
      expected = await expectedCount(budget, pods);
    } catch (error) {
      const why = messageOf(error);
      const message = `Failed to calculate the number of expected pods: ${why}`;
      recorder.event(budget, "Warning", "CalculateExpectedPodCountFailed", message);
      await save(budget, failedStatus(budget, why, clock.now()));
      throw error;
    }
    const now = clock.now();
    await save(budget, budgetStatus(budget, pods, expected, now));
    checkDisruptedLater(budget, pods, now);
  }

  async function expectedCount(budget: PodDisruptionBudget, pods: Pod[]): Promise<number> {
    const { minAvailable, maxUnavailable } = budget.spec ?? {};
    if (maxUnavailable === undefined && typeof minAvailable !== "string") return pods.length;
    const { count, unmanaged } = await expectedPods(pods, informers, askScale);
    if (unmanaged.length > 0) {
      const message = `Pods selected by this PodDisruptionBudget (selector: ${selectorText(budget)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
      recorder.event(budget, "Warning", "UnmanagedPods", message);
    }
    return count;
  }

  async function save(budget: PodDisruptionBudget, status: BudgetStatus): Promise<void> {
    const wanted = JSON.parse(JSON.stringify(status)) as BudgetStatus;
    if (isDeepStrictEqual(wanted, budget.status)) return;
    const updated = await client
      .resource(podDisruptionBudgets)
      .namespace(namespaceOf(budget))
      .updateStatus({ ...budget, status: wanted });
    cache.written(updated);
  }

  /** An eviction that came to nothing is forgotten after a while. */
  function checkDisruptedLater(budget: PodDisruptionBudget, pods: Pod[], now: number): void {
    const since = Object.values(disruptedPods(budget, pods, now)).map((time) => Date.parse(time));
    if (since.length > 0) queue.addAfter(keyOf(budget), Math.min(...since) + disruptionTimeoutMs - now);
  }
}

function createAskScale({ client }: Pick<ControllerContext, "client">): AskScale {
  return async (pod, { apiVersion, kind, name, uid }) => {
    const resources = await discoverResources(client);
    const resource = resources.find(
      (one) =>
        one.kind === kind && (one.group === "" ? one.version : `${one.group}/${one.version}`) === apiVersion,
    );
    if (resource === undefined) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`);
    try {
      const scope = client.resource(resource).namespace(namespaceOf(pod));
      const scale = await scope.getSubresource<{ metadata?: { uid?: string }; spec?: { replicas?: number } }>(
        name,
        "scale",
      );
      return scale.metadata?.uid === uid ? (scale.spec?.replicas ?? 0) : undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const exists = await client
        .resource(resource)
        .namespace(namespaceOf(pod))
        .get(name)
        .catch(() => undefined);
      if (exists === undefined) return undefined;
      const qualified = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
      throw new Error(`${qualified} does not implement the scale subresource`);
    }
  };
}

function selects({ spec }: PodDisruptionBudget, pod: Pod): boolean {
  return spec?.selector !== undefined && matchLabels(spec.selector, pod.metadata?.labels ?? {});
}

function selectorText({ spec }: PodDisruptionBudget): string {
  const { matchLabels: labels = {}, matchExpressions = [] } = spec?.selector ?? {};
  const equal = Object.entries(labels).map(([key, value]) => `${key}:${value}`);
  return `&LabelSelector{MatchLabels:map[string]string{${equal.map((pair) => `${pair.replace(":", ": ")},`).join("")}},MatchExpressions:[]LabelSelectorRequirement{${matchExpressions.map(({ key, operator, values }) => `{${key} ${operator} [${(values ?? []).join(" ")}]}`).join(",")}},}`;
}
