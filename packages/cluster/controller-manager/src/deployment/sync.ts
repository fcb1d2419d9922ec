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
 * Updates an existing new ReplicaSet (revision, copied annotations, minReadySeconds). Sets its revision on
 * the Deployment of the returned rollout, and the caller saves that with the status.
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
 * Creates the new ReplicaSet. A failure is written to the Deployment's status and an Event, then thrown, and
 * the caller retries later. If another ReplicaSet has the name, status.collisionCount is raised, so the next
 * attempt uses another name.
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

/** Sets the Progressing condition, unless the Deployment has no progress deadline. */
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

/** Names have at most 253 characters. The Deployment's name is cut to make room for the hash. */
const maxNameLength = 253;

/**
 * Builds the ReplicaSet for the Deployment's current template, as large as the surge allows. The name derives
 * from the template, so a second attempt to create it (after a stale cache or a lost response) finds the
 * first one.
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
      // The hash in the selector separates this revision's Pods from the Deployment's other Pods.
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [podTemplateHashLabel]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

/** Returns one more than the highest revision of the old ReplicaSets. */
function nextRevision({ oldReplicaSets }: Rollout): number {
  return 1 + Math.max(0, ...oldReplicaSets.map(revisionOf));
}

function specOf(deployment: Deployment) {
  if (deployment.spec === undefined) {
    throw new TypeError(`Deployment ${nameOf(deployment)} has no spec: it was not read from an API server`);
  }
  return deployment.spec;
}

/** All writes of the Deployment controller. */
interface DeploymentWriter {
  client: Client;
  recorder: EventRecorder;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Scales the ReplicaSets of a plan. Resolves with the updated rollout. */
  scale<R extends Rollout>(rollout: R, plan: Scaling[]): Promise<R>;
  recordScaling(deployment: Deployment, replicaSet: ReplicaSet, before: number): void;
  /** Deletes old ReplicaSets above the history limit. */
  cleanUpHistory(rollout: Rollout): Promise<void>;
  /**
   * Writes the status, and the annotations of `deployment`, if either differs from `cached` (default:
   * `deployment`). Throws a conflict if the cache is behind, and the caller reconciles again.
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
    // Annotations are written with the status too. Writing them with the spec would raise
    // metadata.generation.
    await client
      .resource(deployments)
      .namespace(namespaceOf(deployment))
      .updateStatus({ ...deployment, status });
  }
}

/** 2^31-1: keep everything. */
const noLimit = 2_147_483_647;

/**
 * Returns the old ReplicaSets above spec.revisionHistoryLimit (the API server defaults it to 10), oldest
 * revision first. A ReplicaSet that still has Pods, or an unobserved change, is kept for now and counts
 * towards the limit. So at least that many revisions stay available for a rollback.
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
