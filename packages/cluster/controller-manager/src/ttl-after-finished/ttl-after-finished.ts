import { isConflict, isNotFound, type Job } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { findCondition, isFinished } from "../job/plan.ts";
import { isBeingDeleted, uidOf } from "../objects.ts";
import { jobs } from "../resources.ts";

/**
 * Deletes Jobs and their Pods after spec.ttlSecondsAfterFinished. (Kubernetes:
 * pkg/controller/ttlafterfinished.)
 */
export function createTtlAfterFinishedController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  const changed = (job: Job) => {
    const expiry = expiryOf(job);
    if (expiry !== undefined) queue.addAfter(keyOf(job), expiry - clock.now());
  };
  informers.jobs.addEventHandler({ added: changed, updated: (_old, job) => changed(job) });
  return runController(context, { name: "ttl-after-finished", queue, workers: 1, reconcile });

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const cached = informers.jobs.lister.namespace(namespace).get(name);
    if (cached === undefined || expiryOf(cached) === undefined) return;
    // The TTL may just have been extended, and a deletion cannot be undone. Confirm with the API server.
    const inNamespace = client.resource(jobs).namespace(namespace);
    const job = await inNamespace.get(name).catch(ignoreNotFound);
    const expiry = job && expiryOf(job);
    if (job === undefined || expiry === undefined) return;
    if (expiry > clock.now()) return queue.addAfter(key, expiry - clock.now());
    await inNamespace
      .delete(name, { propagationPolicy: "Foreground", preconditions: { uid: uidOf(job) } })
      .catch((error) => {
        if (!isConflict(error)) ignoreNotFound(error);
      });
  }
}

/** Milliseconds since the epoch, or undefined if the Job stays. */
function expiryOf(job: Job): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || isBeingDeleted(job) || !isFinished(job)) return undefined;
  const end = findCondition(job.status, "Complete") ?? findCondition(job.status, "Failed");
  return Date.parse(end?.lastTransitionTime ?? "") + seconds * 1000;
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
