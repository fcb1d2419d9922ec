import { isDeepStrictEqual } from "node:util";
import { isNotFound, type KubeObject, type Pod, type PodDisruptionBudget } from "@operator-path/client";
import { createWorkQueue, keyOf, matchLabels, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, messageOf, runController } from "../controller.ts";
import { discoverResources } from "../discovery.ts";
import type { Informers } from "../informers.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { isBeingDeleted, nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { controllerOf } from "../ownership.ts";
import { desiredReplicas, isReady, scaledValue } from "../pods.ts";
import { podDisruptionBudgets } from "../resources.ts";

/**
 * Computes how many Pods of each PodDisruptionBudget may be evicted now. The API server's eviction
 * subresource reads only this number. (Kubernetes: pkg/controller/disruption.)
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
  // The desired number of Pods matters as well. It rarely changes.
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

  /** Checks again when an unfinished eviction expires. */
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

/**
 * Returns how many Pods a controller of another kind wants, from its scale subresource. Returns undefined if
 * it was deleted.
 */
type AskScale = (
  pod: Pod,
  controller: NonNullable<ReturnType<typeof controllerOf>>,
) => Promise<number | undefined>;

interface ExpectedPods {
  count: number;
  /** Names of Pods without a controller. Their expected number is unknown. */
  unmanaged: string[];
}

/**
 * Sums how many Pods the controllers of these Pods want. Percentages and maxUnavailable of a
 * PodDisruptionBudget refer to this number. A ReplicaSet of a Deployment counts as the Deployment.
 * (pkg/controller/disruption: getExpectedScale.)
 *
 * @throws Error with Kubernetes' message if a controller has no scale
 */
async function expectedPods(pods: Pod[], informers: Informers, askScale: AskScale): Promise<ExpectedPods> {
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

/** Reads the kinds that are cached anyway. */
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

type BudgetStatus = NonNullable<PodDisruptionBudget["status"]>;

/** How long an allowed eviction counts as in progress. */
const disruptionTimeoutMs = 2 * 60_000;

/** Returns the evicted Pods of a budget that are not terminating yet and whose eviction has not expired. */
function disruptedPods(budget: PodDisruptionBudget, pods: Pod[], now: number): Record<string, string> {
  const entries = Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, since]) => {
    const pod = pods.find((candidate) => nameOf(candidate) === name);
    return pod !== undefined && !isBeingDeleted(pod) && Date.parse(since) + disruptionTimeoutMs > now;
  });
  return Object.fromEntries(entries);
}

/**
 * Builds the status of a budget for the current Pods.
 *
 * @param expected how many Pods their controllers want; used only if the budget is relative to it
 */
function budgetStatus(budget: PodDisruptionBudget, pods: Pod[], expected: number, now: number): BudgetStatus {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const disrupted = disruptedPods(budget, pods, now);
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledValue(minAvailable ?? 0, expected, Math.ceil)
      : Math.max(0, expected - scaledValue(maxUnavailable, expected, Math.ceil));
  const currentHealthy = pods.filter(
    (pod) => isReady(pod) && !isBeingDeleted(pod) && disrupted[nameOf(pod)] === undefined,
  ).length;
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return {
    ...budget.status,
    currentHealthy,
    desiredHealthy,
    expectedPods: expected,
    disruptionsAllowed,
    observedGeneration: budget.metadata?.generation,
    ...{ disruptedPods: Object.keys(disrupted).length > 0 ? disrupted : undefined },
    conditions: withCondition(budget, {
      status: disruptionsAllowed > 0 ? "True" : "False",
      reason: disruptionsAllowed > 0 ? "SufficientPods" : "InsufficientPods",
      message: "",
      now,
      observedGeneration: budget.metadata?.generation,
    }),
  };
}

/** A budget that cannot be computed allows no disruption. */
function failedStatus(budget: PodDisruptionBudget, message: string, now: number): BudgetStatus {
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...budget.status,
    disruptionsAllowed: 0,
    // The current spec was not observed, so the older generation stays.
    conditions: withCondition(budget, {
      status: "False",
      reason: "SyncFailed",
      message,
      now,
      observedGeneration: budget.status?.observedGeneration,
    }),
  };
}

function withCondition(
  { status }: PodDisruptionBudget,
  wanted: {
    status: "True" | "False";
    reason: string;
    message: string;
    now: number;
    observedGeneration: number | undefined;
  },
): BudgetStatus["conditions"] {
  const { now, observedGeneration, ...condition } = wanted;
  const before = status?.conditions?.find(({ type }) => type === "DisruptionAllowed");
  const others = (status?.conditions ?? []).filter(({ type }) => type !== "DisruptionAllowed");
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : timestamp(now);
  return [
    ...others,
    {
      type: "DisruptionAllowed",
      ...condition,
      ...(observedGeneration !== undefined && { observedGeneration }),
      lastTransitionTime,
    },
  ];
}
