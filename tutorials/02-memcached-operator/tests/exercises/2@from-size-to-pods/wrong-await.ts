import { deployments } from "@operator-path/client";
import {
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@operator-path/controller-runtime";
import { memcacheds } from "../api/v1alpha1/zz_generated.resources.ts";
import { deploymentFor } from "./deployment.ts";

// The operator's permissions: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=list;watch
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/status,verbs=update
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=list;watch;create;update
// +kubebuilder:rbac:groups=core,resources=pods,verbs=list;watch

/** Returns the function that brings the cluster closer to what one Memcached asks for. */
export function createMemcachedReconciler({ client }: Pick<Manager, "client">) {
  return async function reconcile(request: Request, { log }: Pick<ReconcileContext, "log">): Promise<Result> {
    const memcached = await client.get(memcacheds, request).catch(ignoreNotFound);
    // The garbage collector deletes what a deleted Memcached owned.
    if (!memcached || memcached.metadata?.deletionTimestamp) return {};
    const { size } = memcached.spec;

    const found = await client.list(deployments, { namespace: request.namespace });
    if (found.some(({ metadata }) => metadata?.name === request.name)) return {};
    const owner = {
      apiVersion: "cache.example.com/v1alpha1",
      kind: "Memcached",
      name: request.name,
      uid: memcached.metadata?.uid ?? "",
      controller: true,
      blockOwnerDeletion: true,
    };
    const deployment = deploymentFor(memcached);
    client.create({ ...deployment, metadata: { ...deployment.metadata, ownerReferences: [owner] } });
    log.info(`created a Deployment of ${size}`);
    return {};
  };
}

/** Adds the controller, with everything that it watches, to a manager. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager).for(memcacheds).complete(createMemcachedReconciler(manager));
}
