import { isDeepStrictEqual } from "node:util";
import {
  type Client,
  type Deployment,
  type DeploymentStatus,
  deployments,
  isAlreadyExists,
  isNotFound,
  type ReplicaSet,
  replicaSets,
} from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";
import { isNamespaceTerminating } from "../controller.ts";
import { equalIgnoringHash, podTemplateHashLabel, templateHash } from "../history.ts";
import { byCreationTimestamp, isBeingDeleted, nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { controllerOf, controllerRef } from "../ownership.ts";
import { desiredReplicas } from "../pods.ts";
import {
  newReplicaSetAnnotations,
  newReplicas,
  type Rollout,
  revisionAnnotation,
  revisionOf,
  type Scaling,
  sizeAnnotations,
} from "./rollout.ts";
import { findCondition, progressDeadlineSeconds, progressing, withCondition } from "./status.ts";

export type RolloutWithNew = Rollout & { newReplicaSet: ReplicaSet };

/**
 * Brings an existing new ReplicaSet up to date (revision, copied annotations, minReadySeconds), and notes its revision in
 * the Deployment of the returned rollout, which the caller saves with the status.
 */
export async function syncNewReplicaSet<R extends Rollout>(writer: DeploymentWriter, rollout: R): Promise<R> {
  const { deployment, newReplicaSet } = rollout;
  if (newReplicaSet?.spec === undefined) return rollout;

  const annotations = newReplicaSetAnnotations(deployment, nextRevision(rollout), newReplicaSet);
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const changed =
    minReadySeconds !== (newReplicaSet.spec.minReadySeconds ?? 0) ||
    Object.entries(annotations).some(([key, value]) => newReplicaSet.metadata?.annotations?.[key] !== value);
  const replicaSet = changed
    ? await inNamespaceOf(writer, deployment).update({
        ...newReplicaSet,
        metadata: { ...newReplicaSet.metadata, annotations },
        spec: { ...newReplicaSet.spec, minReadySeconds },
      })
    : newReplicaSet;

  const noticed =
    findCondition(deployment.status, "Progressing") === undefined
      ? withNote(
          deployment,
          progressing.foundNewReplicaSet,
          `Found new replica set "${nameOf(replicaSet)}"`,
          writer.now(),
        )
      : deployment;
  return { ...rollout, newReplicaSet: replicaSet, deployment: withRevisionOf(noticed, replicaSet) };
}

/**
 * Creates the new ReplicaSet. What keeps it from being created is told in the Deployment's status and an Event, and
 * thrown: reconcile again, later. When another ReplicaSet has the name, status.collisionCount is raised, and the next
 * attempt gets another name.
 */
export async function createNewReplicaSet(
  writer: DeploymentWriter,
  rollout: Rollout,
): Promise<RolloutWithNew> {
  const { deployment } = rollout;
  const manifest = newReplicaSetManifest(rollout);
  const name = nameOf(manifest);
  try {
    const created = await inNamespaceOf(writer, deployment).create(manifest);
    if (desiredReplicas(created) > 0) writer.recordScaling(deployment, created, 0);
    const noted = withNote(
      deployment,
      progressing.newReplicaSetCreated,
      `Created new replica set "${name}"`,
      writer.now(),
    );
    return { ...rollout, newReplicaSet: created, deployment: withRevisionOf(noted, created) };
  } catch (error) {
    if (isAlreadyExists(error)) {
      const existing = await inNamespaceOf(writer, deployment).get(name);
      if (isNewRevision(deployment, existing)) {
        return { ...rollout, newReplicaSet: existing, deployment: withRevisionOf(deployment, existing) };
      }
      const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
      await writer.saveStatus(deployment, { ...deployment.status, collisionCount });
    } else if (!isNamespaceTerminating(error)) {
      const message = `Failed to create new replica set "${name}": ${error instanceof Error ? error.message : error}`;
      writer.recorder.event(deployment, "Warning", progressing.replicaSetCreateError, message);
      const failed = withNote(deployment, progressing.replicaSetCreateError, message, writer.now(), "False");
      await writer.saveStatus(deployment, failed.status ?? {});
    }
    throw error;
  }
}

function isNewRevision(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  const [wanted, found] = [deployment.spec?.template, replicaSet.spec?.template];
  const isOurs = controllerOf(replicaSet)?.uid === uidOf(deployment);
  return isOurs && wanted !== undefined && found !== undefined && equalIgnoringHash(wanted, found);
}

/** Notes in the Progressing condition what happened, unless nobody asked for progress to be watched. */
function withNote(
  deployment: Deployment,
  reason: string,
  message: string,
  now: number,
  status = "True",
): Deployment {
  if (progressDeadlineSeconds(deployment) === undefined) return deployment;
  const condition = { type: "Progressing", status, reason, message } as const;
  const conditions = withCondition(deployment.status?.conditions ?? [], condition, timestamp(now));
  return { ...deployment, status: { ...deployment.status, conditions } };
}

function withRevisionOf(deployment: Deployment, replicaSet: ReplicaSet): Deployment {
  const revision = replicaSet.metadata?.annotations?.[revisionAnnotation];
  if (revision === undefined) return deployment;
  const annotations = { ...deployment.metadata?.annotations, [revisionAnnotation]: revision };
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

function inNamespaceOf(writer: DeploymentWriter, deployment: Deployment) {
  return writer.client.resource(replicaSets).namespace(namespaceOf(deployment));
}

/** Names may have 253 characters: what the hash needs is taken from the Deployment's. */
const maxNameLength = 253;

/**
 * The ReplicaSet that the Deployment's current template asks for, of the size that the surge allows at once. Its name
 * follows from the template: a second attempt to create it (a stale cache, a lost answer) finds what the first one made.
 */
function newReplicaSetManifest(rollout: Rollout): ReplicaSet {
  const { deployment } = rollout;
  const spec = specOf(deployment);
  const hash = templateHash(spec.template, deployment.status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [podTemplateHashLabel]: hash };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${nameOf(deployment).slice(0, maxNameLength - hash.length - 1)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: {
        ...newReplicaSetAnnotations(deployment, nextRevision(rollout)),
        ...sizeAnnotations(deployment),
      },
      ownerReferences: [controllerRef(deployment, deployments)],
    },
    spec: {
      replicas: newReplicas(rollout),
      ...(spec.minReadySeconds && { minReadySeconds: spec.minReadySeconds }),
      // With the hash in it the selector tells this revision's Pods from all others of the Deployment.
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [podTemplateHashLabel]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

/** One above the highest of the old ReplicaSets. */
function nextRevision({ oldReplicaSets }: Rollout): number {
  return 1 + Math.max(0, ...oldReplicaSets.map(revisionOf));
}

function specOf(deployment: Deployment) {
  if (deployment.spec === undefined) {
    throw new TypeError(`Deployment ${nameOf(deployment)} without spec: not from an API server`);
  }
  return deployment.spec;
}

/** Everything that the Deployment controller writes. */
interface DeploymentWriter {
  client: Client;
  recorder: EventRecorder;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Gives the ReplicaSets of a plan their sizes. Resolves with the rollout in which they have them. */
  scale<R extends Rollout>(rollout: R, plan: Scaling[]): Promise<R>;
  recordScaling(deployment: Deployment, replicaSet: ReplicaSet, before: number): void;
  /** Deletes the ReplicaSets that the history has no place for. */
  cleanUpHistory(rollout: Rollout): Promise<void>;
  /**
   * Writes the status, and the annotations of `deployment`, if either differs from what `cached` (default: `deployment`)
   * holds. Throws a conflict when the cache is behind: reconcile again.
   */
  saveStatus(deployment: Deployment, status: DeploymentStatus, cached?: Deployment): Promise<void>;
}

export function createDeploymentWriter(
  client: Client,
  recorder: EventRecorder,
  now: () => number,
): DeploymentWriter {
  return { client, recorder, now, scale, recordScaling, cleanUpHistory, saveStatus };

  async function scale<R extends Rollout>(rollout: R, plan: Scaling[]): Promise<R> {
    const updated = new Map<string, ReplicaSet>();
    for (const { replicaSet, replicas } of plan) {
      const annotations = { ...replicaSet.metadata?.annotations, ...sizeAnnotations(rollout.deployment) };
      const before = desiredReplicas(replicaSet);
      if (replicas === before && isDeepStrictEqual(annotations, replicaSet.metadata?.annotations)) continue;
      if (replicaSet.spec === undefined) continue;
      const metadata = { ...replicaSet.metadata, annotations };
      const resized = await client
        .resource(replicaSets)
        .namespace(namespaceOf(replicaSet))
        .update({ ...replicaSet, metadata, spec: { ...replicaSet.spec, replicas } });
      updated.set(uidOf(resized), resized);
      if (replicas !== before) recordScaling(rollout.deployment, resized, before);
    }
    const latest = (replicaSet: ReplicaSet) => updated.get(uidOf(replicaSet)) ?? replicaSet;
    return {
      ...rollout,
      oldReplicaSets: rollout.oldReplicaSets.map(latest),
      ...(rollout.newReplicaSet && { newReplicaSet: latest(rollout.newReplicaSet) }),
    };
  }

  function recordScaling(deployment: Deployment, replicaSet: ReplicaSet, before: number): void {
    const after = desiredReplicas(replicaSet);
    const direction = before < after ? "up" : "down";
    const message = `Scaled ${direction} replica set ${nameOf(replicaSet)} from ${before} to ${after}`;
    recorder.event(deployment, "Normal", "ScalingReplicaSet", message);
  }

  async function cleanUpHistory(rollout: Rollout): Promise<void> {
    for (const replicaSet of replicaSetsToRemove(rollout)) {
      const { resourceVersion } = replicaSet.metadata ?? {};
      const preconditions = { uid: uidOf(replicaSet), ...(resourceVersion && { resourceVersion }) };
      await client
        .resource(replicaSets)
        .namespace(namespaceOf(replicaSet))
        .delete(nameOf(replicaSet), { preconditions })
        .catch((error) => {
          if (!isNotFound(error)) throw error;
        });
    }
  }

  async function saveStatus(
    deployment: Deployment,
    status: DeploymentStatus,
    cached = deployment,
  ): Promise<void> {
    const sameAnnotations = isDeepStrictEqual(deployment.metadata?.annotations, cached.metadata?.annotations);
    if (sameAnnotations && isDeepStrictEqual(status, cached.status ?? {})) return;
    // Annotations go with the status, too. Written with the spec they would count as a change of it (metadata.generation).
    await client
      .resource(deployments)
      .namespace(namespaceOf(deployment))
      .updateStatus({ ...deployment, status });
  }
}

/** 2^31-1: keep everything. */
const noLimit = 2_147_483_647;

/**
 * The old ReplicaSets that spec.revisionHistoryLimit (the API server's default is 10) leaves no place for, oldest
 * revision first. One that still has Pods, or whose controller has not seen its last change, stays for now, and uses up
 * its place: the number of revisions that can be rolled back to is never below the limit because of it.
 */
function replicaSetsToRemove({ deployment, oldReplicaSets }: Rollout): ReplicaSet[] {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10;
  if (limit === noLimit) return [];
  const alive = oldReplicaSets.filter((replicaSet) => !isBeingDeleted(replicaSet));
  return alive
    .toSorted((a, b) => revisionOf(a) - revisionOf(b) || byCreationTimestamp(a, b))
    .slice(0, Math.max(0, alive.length - limit))
    .filter(isIdle);
}

function isIdle({ metadata, spec, status }: ReplicaSet): boolean {
  const seen = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
  return seen && desiredReplicas({ ...(spec && { spec }) }) === 0 && (status?.replicas ?? 0) === 0;
}
