import { isDeepStrictEqual } from "node:util";
import { countedBy, quotaUsage } from "@operator-path/apiserver";
import { isNotFound, type KubeObject, type Pod } from "@operator-path/client";
import { createWorkQueue, type SharedInformer, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { type DiscoveredResource, discoverResources, supports } from "../discovery.ts";
import { isBeingDeleted, nameOf, namespaceOf } from "../objects.ts";
import { type ResourceQuota, resourceQuotas } from "../resources.ts";

/** How often everything is recounted: kube-controller-manager's --resource-quota-sync-period. */
const resyncMs = 5 * 60_000;
/** The same for quotas of kinds that no informer here watches. */
const unwatchedMs = 5_000;

/**
 * Counts the objects of a namespace and writes the usage to the status of its ResourceQuotas, which admission
 * reads. Admission itself adds new objects, so this controller reacts to deletions, finished Pods and changed
 * quotas. (Kubernetes: pkg/controller/resourcequota.)
 */
export function createResourceQuotaController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  const quotas = informers.resourceQuotas;

  quotas.addEventHandler({
    added: (quota) => queue.add(keyOf(quota)),
    updated(old, quota) {
      const isCounted = isDeepStrictEqual(quota.spec?.hard, quota.status?.hard);
      if (!isCounted || !isDeepStrictEqual(old.spec, quota.spec)) queue.add(keyOf(quota));
    },
  });
  const watched = new Set<string>();
  replenish("pods", informers.pods);
  replenish("services", informers.services);
  replenish("configmaps", informers.configMaps);
  replenish("persistentvolumeclaims", informers.persistentVolumeClaims);
  replenish("deployments.apps", informers.deployments);
  replenish("replicasets.apps", informers.replicaSets);
  informers.pods.addEventHandler({
    updated(old, pod) {
      if (hasEnded(pod) && !hasEnded(old)) enqueueNamespace(namespaceOf(pod));
    },
  });
  return runController(context, { name: "resourcequota", queue, workers: 5, reconcile });

  function replenish<T extends KubeObject>(resource: string, informer: SharedInformer<T>): void {
    watched.add(resource);
    informer.addEventHandler({
      deleted: (object) => enqueueNamespace(namespaceOf(unwrapTombstone(object))),
    });
  }

  function enqueueNamespace(namespace: string): void {
    for (const quota of quotas.lister.namespace(namespace).list()) queue.add(keyOf(quota));
  }

  async function reconcile(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const inNamespace = client.resource(resourceQuotas).namespace(namespace);
    // Reads the live object, because admission writes to the same status.
    const quota = await inNamespace.get(name).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    if (!quota || isBeingDeleted(quota)) return;
    const counted = countedBy(quota, await countable());
    const objects = await Promise.all(
      counted.map(async (resource) => {
        const { items } = await client.resource(resource).namespace(namespace).list();
        return { resource, items };
      }),
    );
    const status = { hard: { ...quota.spec?.hard }, used: quotaUsage(quota, objects) };
    if (!isDeepStrictEqual(status, quota.status)) await inNamespace.updateStatus({ ...quota, status });
    queue.addAfter(key, counted.every(isWatched) ? resyncMs : unwatchedMs);
  }

  async function countable(): Promise<DiscoveredResource[]> {
    const all = await discoverResources(client);
    return all.filter((one) => one.namespaced && one.preferred && supports(one, "list", "create"));
  }

  function isWatched({ group, plural }: DiscoveredResource): boolean {
    return watched.has(group === "" ? plural : `${plural}.${group}`);
  }
}

function keyOf(quota: ResourceQuota): string {
  return `${namespaceOf(quota)}/${nameOf(quota)}`;
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
