import { isDeepStrictEqual } from "node:util";
import { type Pod, pods, type StatefulSet, statefulSets } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { createRevisionHistory, revisionsToRemove } from "../history/history.ts";
import { templateOf } from "../history/revision-data.ts";
import { ownedOrOrphaned } from "../informers.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { claim, controllerOf } from "../ownership.ts";
import { millisecondsUntilNextAvailable } from "../pods.ts";
import { possibleOwners } from "../possible-owners.ts";
import { selects } from "../selects.ts";
import { ordinalOf, podRevision, startOrdinal, statefulPod } from "./identity.ts";
import { planStatefulSet } from "./plan.ts";
import { createStatefulPodControl } from "./pod-control.ts";
import { resolveRevisions, type StatefulSetRevisions } from "./revisions.ts";
import { type StatefulSetStatus, statefulSetStatus } from "./status.ts";

/**
 * Runs Pods that are not alike: each has a number, and under it a name, a hostname and volumes that its successor gets
 * too. (Kubernetes: pkg/controller/statefulset.)
 */
export function createStatefulSetController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("statefulset-controller");
  const queue = createWorkQueue<string>({ clock });
  const written = createMutationCache(informers.pods);
  const history = createRevisionHistory(client, informers, statefulSets);
  const control = createStatefulPodControl(client, informers, recorder, written);

  informers.statefulSets.addEventHandler({
    added: enqueue,
    updated: (_old, set) => enqueue(set),
    deleted: (set) => enqueue(unwrapTombstone(set)),
  });
  informers.pods.addEventHandler({
    added: enqueueOwnersOf,
    updated(old, pod) {
      if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) enqueueOwnersOf(old);
      enqueueOwnersOf(pod);
    },
    deleted: (pod) => enqueueOwnersOf(unwrapTombstone(pod)),
  });
  return runController(context, { name: "statefulset", queue, workers: 5, reconcile });

  function enqueue(set: StatefulSet): void {
    queue.add(keyOf(set));
  }

  function enqueueOwnersOf(pod: Pod): void {
    for (const set of possibleOwners(pod, statefulSets, informers.statefulSets, isMember)) enqueue(set);
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const set = informers.statefulSets.lister.namespace(namespace).get(name);
    if (set === undefined) return;
    const isOwn = (pod: Pod) => controllerOf(pod)?.uid === uidOf(set);
    const owned = await claim({
      client,
      owner: set,
      ownerResource: statefulSets,
      resource: pods,
      matches: (pod) => isMember(set, pod),
      candidates: written.overlay(ownedOrOrphaned(informers.pods, set), isOwn),
    });
    const revisions = await resolveRevisions(set, history);
    try {
      // One that is being deleted leaves its Pods to the garbage collector.
      if (!isBeingDeleted(set)) await act(set, owned, revisions);
    } finally {
      await saveStatus(set, currentStatus(set, written.overlay(owned, isOwn), revisions));
    }
    await truncateHistory(set, owned, revisions);
    checkAvailabilityLater(set, owned);
  }

  async function act(set: StatefulSet, owned: Pod[], revisions: StatefulSetRevisions): Promise<void> {
    for (const step of planStatefulSet(set, owned, nameOf(revisions.update), clock.now())) {
      if ("create" in step) await control.create(set, podAt(set, step.create, revisions));
      else if ("remove" in step) await control.remove(set, step.remove);
      else await control.check(set, step.check);
    }
  }

  function currentStatus(set: StatefulSet, owned: Pod[], revisions: StatefulSetRevisions): StatefulSetStatus {
    const { current, update, collisionCount } = revisions;
    const names = { current: nameOf(current), update: nameOf(update), collisionCount };
    return statefulSetStatus(set, owned, names, clock.now());
  }

  async function truncateHistory(
    set: StatefulSet,
    owned: Pod[],
    revisions: StatefulSetRevisions,
  ): Promise<void> {
    const inUse = new Set([...owned.map(podRevision), nameOf(revisions.current), nameOf(revisions.update)]);
    const limit = set.spec?.revisionHistoryLimit;
    for (const revision of revisionsToRemove(revisions.all, inUse, limit)) await history.remove(revision);
  }

  async function saveStatus(set: StatefulSet, status: StatefulSetStatus): Promise<void> {
    if (isDeepStrictEqual(status, set.status)) return;
    await client
      .resource(statefulSets)
      .namespace(namespaceOf(set))
      .updateStatus({ ...set, status });
  }

  function checkAvailabilityLater(set: StatefulSet, owned: Pod[]): void {
    const wait = millisecondsUntilNextAvailable(owned, set.spec?.minReadySeconds, clock.now());
    if (wait !== undefined) queue.addAfter(keyOf(set), wait);
  }
}

function isMember(set: StatefulSet, pod: Pod): boolean {
  return ordinalOf(set, pod) !== undefined && selects(set, pod);
}

/** A Pod below the partition is made anew as it was: its revision is the one that the set comes from. */
function podAt(set: StatefulSet, ordinal: number, { current, update }: StatefulSetRevisions): Pod {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const kept = rollingUpdate?.partition ?? (rollingUpdate ? 0 : (set.status?.currentReplicas ?? 0));
  const isCurrent = type === "RollingUpdate" && ordinal < startOrdinal(set) + kept;
  const revision = isCurrent ? current : update;
  return statefulPod(set, templateOf(revision), nameOf(revision), ordinal);
}
