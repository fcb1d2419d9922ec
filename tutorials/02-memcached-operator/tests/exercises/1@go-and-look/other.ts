import { isNotFound } from "@operator-path/client";
import {
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
  type Result,
} from "@operator-path/controller-runtime";
import { memcacheds } from "../api/v1alpha1/zz_generated.resources.ts";

// The operator's permissions: `make manifests` writes them to config/rbac/role.yaml.
// +kubebuilder:rbac:groups=cache.example.com,resources=memcacheds,verbs=get;list;watch

/** Makes the cluster what one Memcached asks for. */
export function createMemcachedReconciler({ client }: Manager) {
  return async function reconcile(request: Request, { log }: ReconcileContext): Promise<Result> {
    try {
      const { spec } = await client.get(memcacheds, request);
      log.info({ size: spec?.size }, "great, the Reconcile is really triggered!");
    } catch (error) {
      if (!isNotFound(error)) throw error;
      log.info("great, the Reconcile is really triggered!");
    }
    return {};
  };
}

/** Says what is watched, and what is done about it. */
export function setupWithManager(manager: Manager): void {
  newControllerManagedBy(manager).for(memcacheds).complete(createMemcachedReconciler(manager));
}
