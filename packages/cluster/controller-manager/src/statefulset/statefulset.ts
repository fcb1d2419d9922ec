import { isDeepStrictEqual } from "node:util";
import {
  type Client,
  type ControllerRevision,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type PersistentVolumeClaim,
  type Pod,
  type PodTemplateSpec,
  pods,
  type StatefulSet,
  statefulSets,
} from "@operator-path/client";
import {
  createWorkQueue,
  type EventRecorder,
  keyOf,
  splitKey,
  unwrapTombstone,
} from "@operator-path/informers";
import { type Controller, type ControllerContext, messageOf, runController } from "../controller.ts";
import {
  createRevisionHistory,
  hasEqualData,
  type RevisionHistory,
  revisionData,
  revisionHash,
  revisionsToRemove,
  templateOf,
} from "../history.ts";
import { type Informers, ownedOrOrphaned } from "../informers.ts";
import { createMutationCache, type MutationCache } from "../mutation-cache.ts";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { claim, controllerOf, possibleOwners, selects } from "../ownership.ts";
import { deletePod } from "../pod-control.ts";
import { millisecondsUntilNextAvailable } from "../pods.ts";
import { persistentVolumeClaims } from "../resources.ts";
import {
  claimsOf,
  hasIdentity,
  identityLabels,
  isStaleClaim,
  ordinalOf,
  planStatefulSet,
  podRevision,
  retentionOwners,
  type StatefulSetStatus,
  startOrdinal,
  statefulPod,
  statefulSetStatus,
} from "./plan.ts";

/**
 * Runs Pods with an identity: each has an ordinal, and with it a name, a hostname and volumes that its
 * successor takes over. (Kubernetes: pkg/controller/statefulset.)
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
      // A StatefulSet that is being deleted leaves its Pods to the garbage collector.
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

/** Pods below the partition are recreated with the current revision, not the update revision. */
function podAt(set: StatefulSet, ordinal: number, { current, update }: StatefulSetRevisions): Pod {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const kept = rollingUpdate?.partition ?? (rollingUpdate ? 0 : (set.status?.currentReplicas ?? 0));
  const isCurrent = type === "RollingUpdate" && ordinal < startOrdinal(set) + kept;
  const revision = isCurrent ? current : update;
  return statefulPod(set, templateOf(revision), nameOf(revision), ordinal);
}

/** All writes of the StatefulSet controller to Pods and their claims, with the Events. */
interface StatefulPodControl {
  /** Creates the claims, then the Pod. Does nothing while a claim of the previous Pod exists. */
  create(set: StatefulSet, pod: Pod): Promise<void>;
  remove(set: StatefulSet, pod: Pod): Promise<void>;
  /** Repairs the claims, their owners and the Pod's labels. */
  check(set: StatefulSet, pod: Pod): Promise<void>;
}

function createStatefulPodControl(
  client: Client,
  informers: Informers,
  recorder: EventRecorder,
  written: MutationCache<Pod>,
): StatefulPodControl {
  const claimsWritten = createMutationCache(informers.persistentVolumeClaims);
  return { create, remove, check };

  async function create(set: StatefulSet, pod: Pod): Promise<void> {
    for (const { metadata } of claimsOf(set, pod)) {
      const existing = cachedClaim(set, metadata?.name ?? "");
      if (existing !== undefined && isStaleClaim(set, pod, existing)) return;
    }
    let created: Pod;
    try {
      await createClaims(set, pod);
      created = await client.resource(pods).namespace(namespaceOf(set)).create(pod);
    } catch (error) {
      if (!isAlreadyExists(error)) record(set, pod, "create", error);
      throw error;
    }
    written.written(created);
    record(set, pod, "create");
    await updateOwners(set, created);
  }

  async function remove(set: StatefulSet, pod: Pod): Promise<void> {
    try {
      await deletePod(client, pod, written);
    } catch (error) {
      // Already deleted, or replaced. The cache will show it.
      if (isConflict(error)) throw error;
      if (!isNotFound(error)) {
        record(set, pod, "delete", error);
        throw error;
      }
    }
    record(set, pod, "delete");
  }

  async function check(set: StatefulSet, pod: Pod): Promise<void> {
    if (pod.status?.phase === "Pending") await createClaims(set, pod);
    await updateOwners(set, pod);
    if (hasIdentity(pod)) return;
    const labels = identityLabels(nameOf(pod), ordinalOf(set, pod) ?? 0);
    try {
      const patch = { metadata: { uid: uidOf(pod), labels } };
      written.written(
        await client.resource(pods).namespace(namespaceOf(pod)).patch(nameOf(pod), patch, { type: "merge" }),
      );
    } catch (error) {
      record(set, pod, "update", error);
      throw error;
    }
    record(set, pod, "update");
  }

  async function createClaims(set: StatefulSet, pod: Pod): Promise<void> {
    for (const claim of claimsOf(set, pod)) {
      const name = nameOf(claim);
      const existing = cachedClaim(set, name);
      if (existing !== undefined && isBeingDeleted(existing)) throw new Error(`pvc ${name} is being deleted`);
      if (existing !== undefined) continue;
      const what = `Create Claim ${name}`;
      try {
        claimsWritten.written(
          await client.resource(persistentVolumeClaims).namespace(namespaceOf(set)).create(claim),
        );
        const message = `${what} Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)} success`;
        recorder.event(set, "Normal", "SuccessfulCreate", message);
      } catch (error) {
        if (isAlreadyExists(error)) continue;
        const where = `for Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`;
        recorder.event(set, "Warning", "FailedCreate", `${what} ${where} failed error: ${messageOf(error)}`);
        throw new Error(`failed to create PVC ${name}: ${messageOf(error)}`, { cause: error });
      }
    }
  }

  async function updateOwners(set: StatefulSet, pod: Pod): Promise<void> {
    for (const { metadata } of claimsOf(set, pod)) {
      const claim = cachedClaim(set, metadata?.name ?? "");
      const ownerReferences = claim && retentionOwners(set, pod, claim);
      if (claim === undefined || ownerReferences === undefined) continue;
      claimsWritten.written(
        await client
          .resource(persistentVolumeClaims)
          .namespace(namespaceOf(claim))
          .update({ ...claim, metadata: { ...claim.metadata, ownerReferences } }),
      );
    }
  }

  function cachedClaim(set: StatefulSet, name: string): PersistentVolumeClaim | undefined {
    const cached = informers.persistentVolumeClaims.lister.namespace(namespaceOf(set)).get(name);
    return claimsWritten.overlay(
      cached === undefined ? [] : [cached],
      (claim) => nameOf(claim) === name && namespaceOf(claim) === namespaceOf(set),
    )[0];
  }

  function record(set: StatefulSet, pod: Pod, verb: "create" | "update" | "delete", error?: unknown): void {
    const title = `${verb[0]?.toUpperCase()}${verb.slice(1)}`;
    const what = `${verb} Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`.replace(verb, title);
    if (error === undefined) recorder.event(set, "Normal", `Successful${title}`, `${what} successful`);
    else recorder.event(set, "Warning", `Failed${title}`, `${what} failed error: ${messageOf(error)}`);
  }
}

const hashLabel = "controller.kubernetes.io/hash";

interface StatefulSetRevisions {
  /** The revision that a rollout starts from. */
  current: ControllerRevision;
  /** The revision of the current template. */
  update: ControllerRevision;
  /** All revisions, oldest first. */
  all: ControllerRevision[];
  collisionCount: number;
}

/**
 * Returns the current and the update revision of a StatefulSet. A new template gets a revision. A known
 * template's revision becomes the latest again: that is a rollback.
 */
async function resolveRevisions(set: StatefulSet, history: RevisionHistory): Promise<StatefulSetRevisions> {
  const all = await history.list(set);
  const latest = all.at(-1);
  const data = revisionData(set.spec?.template);
  let collisionCount = set.status?.collisionCount ?? 0;

  const equal = all.findLast((revision) => hasEqualData(revision, data));
  let update: ControllerRevision;
  if (equal !== undefined) {
    update = equal === latest ? equal : await history.renumber(equal, (latest?.revision ?? 0) + 1);
  } else {
    const create = () => {
      const hash = revisionHash(data, collisionCount);
      return history.create(set, {
        name: `${nameOf(set).slice(0, 223)}-${hash}`,
        data,
        revision: (latest?.revision ?? 0) + 1,
        labels: { ...templateLabels(set.spec?.template), [hashLabel]: hash },
      });
    };
    let created = await create();
    while (created === "collision") {
      collisionCount++;
      created = await create();
    }
    update = created;
  }
  const current = all.find((revision) => nameOf(revision) === set.status?.currentRevision) ?? update;
  return { current, update, all, collisionCount };
}

function templateLabels(template: PodTemplateSpec | undefined): Record<string, string> {
  return template?.metadata?.labels ?? {};
}
