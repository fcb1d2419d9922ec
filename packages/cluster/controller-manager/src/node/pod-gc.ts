import { isConflict, isNotFound, nodes, type Pod, pods } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { nameOf, uidOf } from "../objects.ts";

/** How long a node may be missing before its Pods are deleted. It may be about to register again. */
const quarantineMs = 40_000;

/**
 * Deletes Pods bound to a node that does not exist, with grace period 0, because no kubelet would confirm a
 * graceful deletion. (Kubernetes: pkg/controller/podgc, orphaned Pods.)
 */
export function createPodGarbageCollector(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });

  const quarantine = (pod: Pod) => {
    if (isStranded(pod)) queue.addAfter(keyOf(pod), quarantineMs);
  };
  informers.pods.addEventHandler({ added: quarantine, updated: (_old, pod) => quarantine(pod) });
  informers.nodes.addEventHandler({
    deleted(deleted) {
      const gone = nameOf(unwrapTombstone(deleted));
      for (const pod of informers.pods.lister.list()) if (pod.spec?.nodeName === gone) quarantine(pod);
    },
  });
  return runController(context, { name: "pod-garbage-collector", queue, workers: 1, reconcile });

  function isStranded({ spec }: Pod): boolean {
    return Boolean(spec?.nodeName) && informers.nodes.lister.get(spec?.nodeName ?? "") === undefined;
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const pod = informers.pods.lister.namespace(namespace).get(name);
    if (pod === undefined || !isStranded(pod)) return;
    // The cache may be behind. Confirm with the API server before deleting a Pod.
    const node = await client
      .resource(nodes)
      .get(pod.spec?.nodeName ?? "")
      .catch(ignoreNotFound);
    if (node !== undefined) return;
    const preconditions = { uid: uidOf(pod) };
    await client
      .resource(pods)
      .namespace(namespace)
      .delete(name, { gracePeriodSeconds: 0, preconditions })
      .catch((error) => {
        if (!isConflict(error)) ignoreNotFound(error);
      });
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
