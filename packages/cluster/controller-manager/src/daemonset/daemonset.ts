import { isDeepStrictEqual } from "node:util";
import {
  type ControllerRevision,
  type DaemonSet,
  daemonSets,
  type Node,
  type Pod,
  pods,
} from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import {
  createRevisionHistory,
  hasEqualData,
  type RevisionHistory,
  revisionData,
  revisionsToRemove,
  templateHash,
} from "../history.ts";
import { ownedOrOrphaned } from "../informers.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { claim, controllerOf, possibleOwners, selects } from "../ownership.ts";
import { createPodControl } from "../pod-control.ts";
import { millisecondsUntilNextAvailable } from "../pods.ts";
import {
  type DaemonSetStatus,
  daemonPod,
  daemonSetStatus,
  hashLabel,
  planPlacement,
  planUpdate,
} from "./plan.ts";

/** Runs one Pod on each matching node. (Kubernetes: pkg/controller/daemon.) */
export function createDaemonSetController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("daemonset-controller");
  const queue = createWorkQueue<string>({ clock });
  const written = createMutationCache(informers.pods);
  const podControl = createPodControl(client, recorder, written);
  const history = createRevisionHistory(client, informers, daemonSets);
  const failures = createFailureBackoff(() => clock.steady());

  informers.daemonSets.addEventHandler({
    added: enqueue,
    updated: (_old, daemonSet) => enqueue(daemonSet),
    deleted: (daemonSet) => enqueue(unwrapTombstone(daemonSet)),
  });
  informers.pods.addEventHandler({
    added: enqueueOwnersOf,
    updated(old, pod) {
      if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) enqueueOwnersOf(old);
      enqueueOwnersOf(pod);
    },
    deleted: (pod) => enqueueOwnersOf(unwrapTombstone(pod)),
  });
  informers.nodes.addEventHandler({
    added: enqueueAll,
    updated(old, node) {
      if (!isDeepStrictEqual(placementView(old), placementView(node))) enqueueAll();
    },
    deleted: enqueueAll,
  });
  return runController(context, { name: "daemonset", queue, workers: 2, reconcile });

  function enqueue(daemonSet: DaemonSet): void {
    queue.add(keyOf(daemonSet));
  }

  function enqueueAll(): void {
    for (const daemonSet of informers.daemonSets.lister.list()) enqueue(daemonSet);
  }

  function enqueueOwnersOf(pod: Pod): void {
    for (const daemonSet of possibleOwners(pod, daemonSets, informers.daemonSets, selects))
      enqueue(daemonSet);
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const daemonSet = informers.daemonSets.lister.namespace(namespace).get(name);
    if (daemonSet === undefined || isBeingDeleted(daemonSet)) return;
    const isOwn = (pod: Pod) => controllerOf(pod)?.uid === uidOf(daemonSet);
    const owned = await claim({
      client,
      owner: daemonSet,
      ownerResource: daemonSets,
      resource: pods,
      matches: (pod) => selects(daemonSet, pod),
      candidates: written.overlay(ownedOrOrphaned(informers.pods, daemonSet), isOwn),
    });
    const nodes = informers.nodes.lister.list();
    const revisions = await resolveRevisions(daemonSet, history);
    let failure: unknown;
    try {
      await place(daemonSet, nodes, owned, revisions.hash);
      if (daemonSet.spec?.updateStrategy?.type !== "OnDelete") {
        await update(daemonSet, nodes, written.overlay(owned, isOwn), revisions.hash);
      }
      await truncateHistory(daemonSet, owned, revisions);
    } catch (error) {
      failure = error;
    }
    const status = daemonSetStatus(daemonSet, nodes, written.overlay(owned, isOwn), revisions, clock.now());
    await saveStatus(daemonSet, status);
    if (failure !== undefined) throw failure;
    checkAvailabilityLater(daemonSet, owned);
  }

  async function place(daemonSet: DaemonSet, nodes: Node[], owned: Pod[], hash: string): Promise<void> {
    const plan = planPlacement(daemonSet, nodes, owned, hash);
    const ended = plan.ended.filter((pod) => mayReplace(daemonSet, pod));
    await podControl.create(daemonSet, plan.create, (nodeName) => daemonPod(daemonSet, nodeName, hash));
    await Promise.all([...plan.remove, ...ended].map((pod) => podControl.remove(daemonSet, pod)));
  }

  async function update(daemonSet: DaemonSet, nodes: Node[], owned: Pod[], hash: string): Promise<void> {
    const plan = planUpdate(daemonSet, nodes, owned, hash, clock.now());
    await podControl.create(daemonSet, plan.create, (nodeName) => daemonPod(daemonSet, nodeName, hash));
    await Promise.all(plan.remove.map((pod) => podControl.remove(daemonSet, pod)));
  }

  /**
   * Whether a finished Pod may be replaced now. Failed Pods are replaced with backoff, because the next one
   * would probably fail too.
   */
  function mayReplace(daemonSet: DaemonSet, pod: Pod): boolean {
    const where = `daemon pod ${keyOf(pod)} on node ${pod.spec?.nodeName ?? ""}`;
    if (pod.status?.phase === "Succeeded") {
      recorder.event(
        daemonSet,
        "Normal",
        "SucceededDaemonPod",
        `Found succeeded ${where}, will try to delete it`,
      );
      return true;
    }
    const wait = failures.waitFor(`${uidOf(daemonSet)}/${pod.spec?.nodeName}`, uidOf(pod));
    if (wait > 0) {
      queue.addAfter(keyOf(daemonSet), wait);
      return false;
    }
    recorder.event(daemonSet, "Warning", "FailedDaemonPod", `Found failed ${where}, will try to kill it`);
    return true;
  }

  async function truncateHistory(
    daemonSet: DaemonSet,
    owned: Pod[],
    { all, hash }: DaemonSetRevisions,
  ): Promise<void> {
    const hashes = new Set([hash, ...owned.map(({ metadata }) => metadata?.labels?.[hashLabel] ?? "")]);
    const inUse = new Set(all.filter((revision) => hashes.has(hashOf(revision))).map(nameOf));
    for (const revision of revisionsToRemove(all, inUse, daemonSet.spec?.revisionHistoryLimit)) {
      await history.remove(revision);
    }
  }

  async function saveStatus(daemonSet: DaemonSet, status: DaemonSetStatus): Promise<void> {
    if (isDeepStrictEqual(status, daemonSet.status)) return;
    await client
      .resource(daemonSets)
      .namespace(namespaceOf(daemonSet))
      .updateStatus({ ...daemonSet, status });
  }

  function checkAvailabilityLater(daemonSet: DaemonSet, owned: Pod[]): void {
    const wait = millisecondsUntilNextAvailable(owned, daemonSet.spec?.minReadySeconds, clock.now());
    if (wait !== undefined) queue.addAfter(keyOf(daemonSet), wait);
  }
}

function placementView({ metadata, spec }: Node) {
  return [metadata?.labels, spec?.taints];
}

interface DaemonSetRevisions {
  /** The hash label of Pods with the current template. */
  hash: string;
  /** All revisions, oldest first. */
  all: ControllerRevision[];
  collisionCount: number | undefined;
}

/**
 * Returns the revision of the current template. An equal older revision becomes the latest again. Otherwise a
 * new one is created.
 */
async function resolveRevisions(daemonSet: DaemonSet, history: RevisionHistory): Promise<DaemonSetRevisions> {
  const all = await history.list(daemonSet);
  const template = daemonSet.spec?.template ?? {};
  const data = revisionData(template);
  let collisionCount = daemonSet.status?.collisionCount;
  const latest = all.at(-1);
  const equal = all.findLast((revision) => hasEqualData(revision, data));
  if (equal !== undefined) {
    if (equal !== latest) await history.renumber(equal, (latest?.revision ?? 0) + 1);
    return { hash: hashOf(equal), all: [...all.filter((one) => one !== equal), equal], collisionCount };
  }
  for (;;) {
    const hash = templateHash(template, collisionCount);
    const created = await history.create(daemonSet, {
      name: `${nameOf(daemonSet)}-${hash}`,
      data,
      revision: (latest?.revision ?? 0) + 1,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
    });
    if (created !== "collision") return { hash, all: [...all, created], collisionCount };
    collisionCount = (collisionCount ?? 0) + 1;
  }
}

function hashOf(revision: ControllerRevision): string {
  return revision.metadata?.labels?.[hashLabel] ?? "";
}

/** Delays the replacement of failed Pods: 1 s at first, doubled each time, at most 15 minutes. */
export function createFailureBackoff(now: () => number) {
  const known = new Map<string, { uid: string; until: number; next: number }>();
  const isOver = ({ until }: { until: number }) => now() - until >= 2 * 15 * 60_000;
  return {
    /** The number of places with a record. */
    get size() {
      return known.size;
    },
    /** Returns how long to wait, in milliseconds. 0 means that the Pod may be replaced now. */
    waitFor(place: string, uid: string): number {
      const entry = known.get(place);
      if (entry?.uid === uid) return Math.max(0, entry.until - now());
      const wait = entry !== undefined && !isOver(entry) ? entry.next : 0;
      // Drops the records of nodes and DaemonSets that may no longer exist.
      for (const [other, old] of known) if (isOver(old)) known.delete(other);
      known.set(place, { uid, until: now() + wait, next: Math.min(Math.max(1000, wait * 2), 15 * 60_000) });
      return wait;
    },
  };
}
