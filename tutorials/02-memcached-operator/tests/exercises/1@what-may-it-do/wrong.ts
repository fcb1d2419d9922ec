import {
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@operator-path/controller-runtime";
import { memcacheds } from "../api/v1alpha1/zz_generated.resources.ts";

// The operator's permissions: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;list;watch
// +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch;create

/** Makes the cluster what one Memcached asks for. */
export function createMemcachedReconciler({ client }: Manager) {
  return async function reconcile(request: Request, { log }: ReconcileContext): Promise<Result> {
    const memcached = await client.get(memcacheds, request).catch(ignoreNotFound);
    const size = memcached?.spec?.size;
    log.info({ size }, "great, the Reconcile is really triggered!");
    return {};
  };
}

/** Says what is watched, and what is done about it. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager).for(memcacheds).complete(createMemcachedReconciler(manager));
}
