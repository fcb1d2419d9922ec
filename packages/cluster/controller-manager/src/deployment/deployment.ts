import { type Deployment, deployments, type ReplicaSet, replicaSets } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { ownedBy, ownedOrOrphaned } from "../informers.ts";
import { isBeingDeleted, namespaceOf, timestamp, uidOf } from "../objects.ts";
import { claim, controllerOf, selects } from "../ownership.ts";
import { desiredReplicas, isTerminal } from "../pods.ts";
import {
  active,
  desiredReplicasAnnotation,
  numberFrom,
  planRollingUpdate,
  planScaling,
  type Rollout,
  replicaSetsOf,
  rolloutOf,
} from "./rollout.ts";
import {
  deploymentStatus,
  findCondition,
  isComplete,
  nextProgressCheck,
  progressDeadlineSeconds,
  progressing,
  withCondition,
  withProgress,
} from "./status.ts";
import {
  createDeploymentWriter,
  createNewReplicaSet,
  type RolloutWithNew,
  syncNewReplicaSet,
} from "./sync.ts";

/**
 * Runs rollouts. A Deployment owns one ReplicaSet per revision of its Pod template. This controller scales
 * the new one up and the old ones down, and never touches Pods. (Kubernetes: pkg/controller/deployment.)
 *
 * Each reconcile takes at most one step and then writes the Deployment's status. The next step follows from
 * the caches: a change of a ReplicaSet's status enqueues its Deployment.
 */
export function createDeploymentController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("deployment-controller");
  const writer = createDeploymentWriter(client, recorder, () => clock.now());
  const queue = createWorkQueue<string>({ clock });

  informers.deployments.addEventHandler({
    added: enqueue,
    updated: (_old, deployment) => enqueue(deployment),
  });
  informers.replicaSets.addEventHandler({
    added: enqueueOwnerOf,
    updated(old, replicaSet) {
      if (controllerOf(old)?.uid !== controllerOf(replicaSet)?.uid) enqueueOwnerOf(old);
      enqueueOwnerOf(replicaSet);
    },
    deleted: (replicaSet) => enqueueOwnerOf(unwrapTombstone(replicaSet)),
  });
  // Recreate waits until the last old Pod is deleted, which the ReplicaSet's status does not show.
  informers.pods.addEventHandler({
    deleted(pod) {
      const controller = controllerOf(unwrapTombstone(pod));
      if (controller?.kind !== "ReplicaSet") return;
      const owner = informers.replicaSets.lister
        .namespace(namespaceOf(unwrapTombstone(pod)))
        .get(controller.name);
      if (owner !== undefined && uidOf(owner) === controller.uid) enqueueOwnerOf(owner);
    },
  });

  return runController(context, { name: "deployment", queue, workers: 5, reconcile });

  function enqueue(deployment: Deployment): void {
    queue.add(keyOf(deployment));
  }

  /**
   * Enqueues the Deployment that controls the ReplicaSet. For an orphan, enqueues every Deployment that could
   * adopt it.
   */
  function enqueueOwnerOf(replicaSet: ReplicaSet): void {
    const controller = controllerOf(replicaSet);
    const inNamespace = informers.deployments.lister.namespace(namespaceOf(replicaSet));
    if (controller === undefined) {
      for (const deployment of inNamespace.list()) if (selects(deployment, replicaSet)) enqueue(deployment);
    } else if (controller.kind === deployments.kind) {
      const deployment = inNamespace.get(controller.name);
      if (deployment !== undefined && uidOf(deployment) === controller.uid) enqueue(deployment);
    }
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const deployment = informers.deployments.lister.namespace(namespace).get(name);
    if (deployment === undefined) return;

    const owned = await claim({
      client,
      owner: deployment,
      ownerResource: deployments,
      resource: replicaSets,
      matches: (replicaSet) => selects(deployment, replicaSet),
      candidates: ownedOrOrphaned(informers.replicaSets, deployment),
    });
    const rollout = rolloutOf(withPauseNoted(deployment, clock.now()), owned);

    if (isBeingDeleted(deployment)) {
      const status = deploymentStatus(rolloutOf(deployment, owned), clock.now());
      await writer.saveStatus(deployment, status);
    } else if (deployment.spec?.paused || wasScaled(rollout)) {
      await scale(deployment, rollout);
    } else if (deployment.spec?.strategy?.type === "Recreate") {
      await saveProgress(deployment, await recreate(deployment, rollout));
    } else {
      await saveProgress(deployment, await rollingUpdate(deployment, rollout));
    }
  }

  /**
   * Applies a new replica count during a rollout or a pause. Creates no ReplicaSet and does not continue the
   * rollout.
   */
  async function scale(cached: Deployment, rollout: Rollout): Promise<void> {
    const synced = await syncNewReplicaSet(writer, rollout);
    const scaled = await writer.scale(synced, planScaling(synced));
    if (cached.spec?.paused) await writer.cleanUpHistory(scaled);
    await writer.saveStatus(scaled.deployment, deploymentStatus(scaled, clock.now()), cached);
  }

  async function rollingUpdate(cached: Deployment, rollout: Rollout): Promise<Rollout> {
    const current = await withNewReplicaSet(rollout);
    const plan = planRollingUpdate(current);
    if (plan.length > 0) return writer.scale(current, plan);
    if (isComplete(cached, cached.status)) await writer.cleanUpHistory(current);
    return current;
  }

  /** Deletes all old Pods before it creates the first new one. */
  async function recreate(cached: Deployment, rollout: Rollout): Promise<Rollout> {
    const scaleDown = active(rollout.oldReplicaSets).map((replicaSet) => ({ replicaSet, replicas: 0 }));
    if (scaleDown.length > 0) return writer.scale(await syncNewReplicaSet(writer, rollout), scaleDown);
    if (hasRunningPods(rollout.oldReplicaSets)) return syncNewReplicaSet(writer, rollout);

    const current = await withNewReplicaSet(rollout);
    const replicas = desiredReplicas(cached);
    if (desiredReplicas(current.newReplicaSet) !== replicas) {
      return writer.scale(current, [{ replicaSet: current.newReplicaSet, replicas }]);
    }
    if (isComplete(cached, cached.status)) await writer.cleanUpHistory(current);
    return current;
  }

  async function withNewReplicaSet(rollout: Rollout): Promise<RolloutWithNew> {
    const { newReplicaSet } = rollout;
    return newReplicaSet === undefined
      ? createNewReplicaSet(writer, rollout)
      : syncNewReplicaSet(writer, { ...rollout, newReplicaSet });
  }

  /** Terminating Pods count, because they may still hold resources that the new Pods need. */
  function hasRunningPods(sets: ReplicaSet[]): boolean {
    return sets.some(
      (replicaSet) =>
        (replicaSet.status?.replicas ?? 0) > 0 ||
        ownedBy(informers.pods, replicaSet).some((pod) => !isTerminal(pod)),
    );
  }

  async function saveProgress(cached: Deployment, rollout: Rollout): Promise<void> {
    const now = clock.now();
    const status = withProgress(deploymentStatus(rollout, now), rollout, now);
    await writer.saveStatus(rollout.deployment, status, cached);
    const check = nextProgressCheck(cached, status, now);
    if (check !== undefined) queue.addAfter(keyOf(cached), check);
  }
}

/** Whether spec.replicas has changed since the ReplicaSets were last scaled. Scaling is not a rollout. */
function wasScaled(rollout: Rollout): boolean {
  return active(replicaSetsOf(rollout)).some((replicaSet) => {
    const recorded = numberFrom(replicaSet, desiredReplicasAnnotation);
    return recorded !== undefined && recorded !== desiredReplicas(rollout.deployment);
  });
}

/** Records pause and resume in the Progressing condition, so that a paused rollout does not time out. */
function withPauseNoted(deployment: Deployment, now: number): Deployment {
  const reason = findCondition(deployment.status, "Progressing")?.reason;
  const isPaused = deployment.spec?.paused === true;
  if (progressDeadlineSeconds(deployment) === undefined) return deployment;
  if (reason === progressing.progressDeadlineExceeded || isPaused === (reason === progressing.paused))
    return deployment;
  const conditions = withCondition(
    deployment.status?.conditions ?? [],
    {
      type: "Progressing",
      status: "Unknown",
      reason: isPaused ? progressing.paused : progressing.resumed,
      message: isPaused ? "Deployment is paused" : "Deployment is resumed",
    },
    timestamp(now),
  );
  return { ...deployment, status: { ...deployment.status, conditions } };
}
