import { isDeepStrictEqual } from "node:util";
import {
  isNotFound,
  type Pod,
  pods,
  type ReplicaSet,
  type ReplicaSetStatus,
  replicaSets,
} from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import {
  type Controller,
  type ControllerContext,
  isNamespaceTerminating,
  messageOf,
  runController,
} from "../controller.ts";
import { createExpectations } from "../expectations.ts";
import { ownedBy, ownedOrOrphaned } from "../informers.ts";
import { isBeingDeleted, nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { claim, controllerOf, possibleOwners, selects } from "../ownership.ts";
import { podFromTemplate, slowStart } from "../pod-control.ts";
import {
  chooseVictims,
  desiredReplicas,
  isActive,
  isReady,
  isTerminating,
  millisecondsUntilAvailable,
  millisecondsUntilNextAvailable,
  nonZero,
} from "../pods.ts";

/** The maximum of Pods created or deleted per reconcile. The rest waits until these have been observed. */
const burst = 500;

/**
 * Keeps spec.replicas Pods running. This is what heals a workload. (Kubernetes: pkg/controller/replicaset.)
 *
 * Never acts on a cache that does not show its own last writes: see `Expectations`.
 */
export function createReplicaSetController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("replicaset-controller");
  const queue = createWorkQueue<string>({ clock });
  const expectations = createExpectations(clock);

  informers.replicaSets.addEventHandler({
    added: enqueue,
    updated: (_old, replicaSet) => enqueue(replicaSet),
    deleted(deleted) {
      // Keyed by uid, so a recreated ReplicaSet of the same name starts without expectations.
      expectations.forget(uidOf(unwrapTombstone(deleted)));
      enqueue(unwrapTombstone(deleted));
    },
  });
  informers.pods.addEventHandler({
    added(pod) {
      if (isBeingDeleted(pod)) return podGone(pod);
      const controller = controllerOf(pod);
      if (controller !== undefined) expectations.creationObserved(controller.uid);
      enqueueOwnersOf(pod);
    },
    updated(old, pod) {
      // A terminating Pod no longer counts, so its replacement need not wait for the removal.
      if (isBeingDeleted(pod)) return podGone(pod);
      if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) enqueueOwnersOf(old);
      enqueueOwnersOf(pod);
    },
    deleted: (pod) => podGone(unwrapTombstone(pod)),
  });

  return runController(context, { name: "replicaset", queue, workers: 5, reconcile });

  function enqueue(replicaSet: ReplicaSet): void {
    queue.add(keyOf(replicaSet));
  }

  function podGone(pod: Pod): void {
    const controller = controllerOf(pod);
    if (controller === undefined) return;
    expectations.deletionObserved(controller.uid, uidOf(pod));
    enqueueOwnersOf(pod);
  }

  function enqueueOwnersOf(pod: Pod): void {
    for (const replicaSet of possibleOwners(pod, replicaSets, informers.replicaSets, selects))
      enqueue(replicaSet);
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const replicaSet = informers.replicaSets.lister.namespace(namespace).get(name);
    if (replicaSet === undefined) return;

    // Read before the Pods: events that arrive in between only make the Pods more complete.
    const upToDate = expectations.satisfied(uidOf(replicaSet));
    const candidates = ownedOrOrphaned(informers.pods, replicaSet);
    const activePods = await claim({
      client,
      owner: replicaSet,
      ownerResource: replicaSets,
      resource: pods,
      matches: (pod) => selects(replicaSet, pod),
      candidates: candidates.filter(isActive),
    });
    const terminatingPods = candidates.filter(
      (pod) => isTerminating(pod) && controllerOf(pod)?.uid === uidOf(replicaSet) && selects(replicaSet, pod),
    );

    let failure: unknown;
    if (upToDate && !isBeingDeleted(replicaSet)) failure = await manageReplicas(replicaSet, activePods);

    const now = clock.now();
    await saveStatus(replicaSet, replicaSetStatus(replicaSet, { activePods, terminatingPods, failure, now }));
    if (failure !== undefined) throw failure;
    checkAvailabilityLater(replicaSet, activePods, now);
  }

  /**
   * Creates or deletes Pods. Resolves with the first error, which goes into the status before the caller
   * throws it.
   */
  async function manageReplicas(replicaSet: ReplicaSet, activePods: Pod[]): Promise<unknown> {
    const missing = desiredReplicas(replicaSet) - activePods.length;
    if (missing > 0) return createPods(replicaSet, Math.min(missing, burst));
    if (missing < 0) return deletePods(replicaSet, activePods, Math.min(-missing, burst));
    return undefined;
  }

  async function createPods(replicaSet: ReplicaSet, count: number): Promise<unknown> {
    const uid = uidOf(replicaSet);
    expectations.expectCreations(uid, count);
    const { succeeded, error } = await slowStart(count, () => createPod(replicaSet));
    for (let missed = succeeded; missed < count; missed++) expectations.creationObserved(uid);
    return isNamespaceTerminating(error) ? undefined : error;
  }

  async function createPod(replicaSet: ReplicaSet): Promise<void> {
    const pod = podFromTemplate(replicaSet.spec?.template, replicaSet, replicaSets);
    try {
      const created = await client.resource(pods).namespace(namespaceOf(replicaSet)).create(pod);
      recorder.event(replicaSet, "Normal", "SuccessfulCreate", `Created pod: ${nameOf(created)}`);
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        recorder.event(replicaSet, "Warning", "FailedCreate", `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  async function deletePods(replicaSet: ReplicaSet, activePods: Pod[], count: number): Promise<unknown> {
    const uid = uidOf(replicaSet);
    const victims = chooseVictims(activePods, podsOfSiblings(replicaSet), count, clock.now());
    expectations.expectDeletions(uid, victims.map(uidOf));
    const results = await Promise.allSettled(victims.map((pod) => deletePod(replicaSet, pod)));
    return results.find((result) => result.status === "rejected")?.reason;
  }

  async function deletePod(replicaSet: ReplicaSet, pod: Pod): Promise<void> {
    try {
      const preconditions = { uid: uidOf(pod) };
      await client.resource(pods).namespace(namespaceOf(pod)).delete(nameOf(pod), { preconditions });
      recorder.event(replicaSet, "Normal", "SuccessfulDelete", `Deleted pod: ${nameOf(pod)}`);
    } catch (error) {
      expectations.deletionObserved(uidOf(replicaSet), uidOf(pod));
      if (isNotFound(error)) return;
      recorder.event(replicaSet, "Warning", "FailedDelete", `Error deleting: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Returns the Pods of all ReplicaSets of the same Deployment, including this one. */
  function podsOfSiblings(replicaSet: ReplicaSet): Pod[] {
    const deployment = controllerOf(replicaSet)?.uid;
    const siblings = informers.replicaSets.lister
      .namespace(namespaceOf(replicaSet))
      .list()
      .filter((other) => other === replicaSet || (deployment && controllerOf(other)?.uid === deployment));
    return siblings.flatMap((sibling) => ownedBy(informers.pods, sibling));
  }

  async function saveStatus(replicaSet: ReplicaSet, status: ReplicaSetStatus): Promise<void> {
    if (isDeepStrictEqual(status, replicaSet.status)) return;
    await client
      .resource(replicaSets)
      .namespace(namespaceOf(replicaSet))
      .updateStatus({ ...replicaSet, status });
  }

  function checkAvailabilityLater(replicaSet: ReplicaSet, activePods: Pod[], now: number): void {
    const wait = millisecondsUntilNextAvailable(activePods, replicaSet.spec?.minReadySeconds, now);
    if (wait !== undefined) queue.addAfter(keyOf(replicaSet), wait);
  }
}

type ReplicaSetCondition = NonNullable<ReplicaSetStatus["conditions"]>[number];

interface ReplicaSetObservation {
  activePods: Pod[];
  terminatingPods: Pod[];
  /** The error that kept the controller from creating or deleting Pods. */
  failure?: unknown;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Builds the status from the observed Pods. Omits zero counts, as the API server does. */
function replicaSetStatus(replicaSet: ReplicaSet, observed: ReplicaSetObservation): ReplicaSetStatus {
  const { activePods, terminatingPods, now } = observed;
  const minReadySeconds = replicaSet.spec?.minReadySeconds ?? 0;
  const templateLabels = Object.entries(replicaSet.spec?.template?.metadata?.labels ?? {});
  const fullyLabeled = activePods.filter((pod) =>
    templateLabels.every(([key, value]) => pod.metadata?.labels?.[key] === value),
  );
  const available = activePods.filter((pod) => millisecondsUntilAvailable(pod, minReadySeconds, now) === 0);
  const conditions = failureConditions(replicaSet, observed);

  return {
    replicas: activePods.length,
    ...nonZero("fullyLabeledReplicas", fullyLabeled.length),
    ...nonZero("readyReplicas", activePods.filter(isReady).length),
    ...nonZero("availableReplicas", available.length),
    terminatingReplicas: terminatingPods.length,
    ...nonZero("observedGeneration", replicaSet.metadata?.generation),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** An existing condition keeps its first message, so a repeated failure causes no write. */
function failureConditions(replicaSet: ReplicaSet, observed: ReplicaSetObservation): ReplicaSetCondition[] {
  const conditions = replicaSet.status?.conditions ?? [];
  const others = conditions.filter(({ type }) => type !== "ReplicaFailure");
  if (observed.failure === undefined) return others;
  const existing = conditions.find(({ type }) => type === "ReplicaFailure");
  if (existing !== undefined) return conditions;
  const tooFew = observed.activePods.length < desiredReplicas(replicaSet);
  const failure: ReplicaSetCondition = {
    type: "ReplicaFailure",
    status: "True",
    lastTransitionTime: timestamp(observed.now),
    reason: tooFew ? "FailedCreate" : "FailedDelete",
    message: observed.failure instanceof Error ? observed.failure.message : String(observed.failure),
  };
  return [...others, failure];
}
