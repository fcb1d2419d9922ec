import { deployments, pods } from "@operator-path/client";
import {
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
  setControllerReference,
} from "@operator-path/controller-runtime";
import { memcachedBackups } from "../api/v1/zz_generated.resources.ts";
import { deploymentFor, labelsFor } from "./backup.deployment.ts";

// The permissions of the code: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=cache.my.domain,resources=memcachedbackups,verbs=list;watch
// +kubebuilder:rbac:groups=cache.my.domain,resources=memcachedbackups/finalizers,verbs=update

/** Returns the function that brings the cluster closer to what one MemcachedBackup asks for. */
export function createMemcachedBackupReconciler({ client }: Pick<Manager, "client">) {
  return async function reconcile(request: Request, _: Pick<ReconcileContext, "log">): Promise<Result> {
    const backup = await client.get(memcachedBackups, request).catch(ignoreNotFound);
    // The garbage collector deletes what a deleted MemcachedBackup owned.
    if (!backup || backup.metadata?.deletionTimestamp) return {};
    const { size } = backup.spec;

    const wanted = setControllerReference(backup, deploymentFor(backup));
    const found = await client.get(deployments, request).catch(ignoreNotFound);
    if (!found) await client.create(wanted);
    else if (!found.metadata?.ownerReferences?.some(({ uid }) => uid === backup.metadata?.uid))
      throw new Error("not mine");
    else if (found.spec?.replicas !== size) {
      const copy = structuredClone(found);
      if (copy.spec) copy.spec.replicas = size;
      await client.update(copy);
    }

    const labels = labelsFor(request.name);
    const names = new Set((await client.list(pods, { namespace: request.namespace, labels })).map((pod) => pod.metadata?.name ?? ""));
    const nodes = [...names].sort();
    if (JSON.stringify(nodes) !== JSON.stringify(backup.status?.nodes))
      await client.status.update({ ...backup, status: { ...backup.status, nodes } });
    return {};
  };
}

/** Adds the controller, with everything that it watches, to a manager. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager).for(memcachedBackups).complete(createMemcachedBackupReconciler(manager));
}
