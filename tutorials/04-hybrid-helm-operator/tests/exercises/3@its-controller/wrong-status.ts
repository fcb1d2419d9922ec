import { isDeepStrictEqual } from "node:util";
import { deployments, pods } from "@operator-path/client";
import {
  getControllerOf,
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
  return async function reconcile(request: Request, { log }: Pick<ReconcileContext, "log">): Promise<Result> {
    const backup = await client.get(memcachedBackups, request).catch(ignoreNotFound);
    // The garbage collector deletes what a deleted MemcachedBackup owned.
    if (!backup || backup.metadata?.deletionTimestamp) return {};
    const { size } = backup.spec;

    const deployment = await client.get(deployments, request).catch(ignoreNotFound);
    if (!deployment) {
      await client.create(setControllerReference(backup, deploymentFor(backup)));
      log.info(`created a Deployment of ${size}`);
      return {};
    }
    if (getControllerOf(deployment)?.uid !== backup.metadata?.uid) {
      throw new Error(`Deployment ${request.name} has another owner or none: delete it or rename the backup`);
    }
    const { spec } = deployment;
    if (spec && spec.replicas !== size) {
      await client.update({ ...deployment, spec: { ...spec, replicas: size } });
      log.info(`scaled the Deployment from ${spec.replicas} to ${size}`);
      return {};
    }

    const { namespace, name } = request;
    const found = await client.list(pods, { namespace, labels: labelsFor(name) });
    const nodes = found.map(({ metadata }) => metadata?.name ?? "").sort();
    if (!isDeepStrictEqual(nodes, backup.status?.nodes)) {
      await client.status.update({ ...backup, status: { nodes } });
      log.info(`status.nodes has ${nodes.length} names`);
    }
    return {};
  };
}

/** Adds the controller, with everything that it watches, to a manager. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager).for(memcachedBackups).complete(createMemcachedBackupReconciler(manager));
}
