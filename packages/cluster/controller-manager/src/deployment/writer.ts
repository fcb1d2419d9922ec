import { isDeepStrictEqual } from "node:util";
import {
  type Client,
  type Deployment,
  type DeploymentStatus,
  deployments,
  isNotFound,
  type ReplicaSet,
  replicaSets,
} from "@operator-path/client";
import type { EventRecorder } from "@operator-path/informers";
import { nameOf, namespaceOf, uidOf } from "../objects.ts";
import { desiredReplicas } from "../replicas.ts";
import { sizeAnnotations } from "./annotations.ts";
import { replicaSetsToRemove } from "./history.ts";
import type { Rollout, Scaling } from "./rollout.ts";

/** Everything that the Deployment controller writes. */
export interface DeploymentWriter {
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
