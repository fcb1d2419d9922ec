import { type Deployment, isAlreadyExists, type ReplicaSet, replicaSets } from "@operator-path/client";
import { isNamespaceTerminating } from "../controller.ts";
import { nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { controllerOf } from "../ownership.ts";
import { desiredReplicas } from "../replicas.ts";
import { newReplicaSetAnnotations, revisionAnnotation } from "./annotations.ts";
import { findCondition, progressing, withCondition } from "./conditions.ts";
import { newReplicaSetManifest, nextRevision } from "./manifest.ts";
import type { Rollout } from "./rollout.ts";
import { progressDeadlineSeconds } from "./status.ts";
import { equalIgnoringHash } from "./template-hash.ts";
import type { DeploymentWriter } from "./writer.ts";

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
