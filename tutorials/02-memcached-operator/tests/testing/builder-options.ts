import { deployments } from "@operator-path/client";
import { generationChanged, type Manager, newControllerManagedBy } from "@operator-path/controller-runtime";
import { memcacheds } from "../../memcached-operator/api/v1alpha1/zz_generated.resources.ts";
import { createMemcachedReconciler } from "../../memcached-operator/controllers/memcached.controller.ts";

/** Shows more of the builder than the operator needs; page 2 quotes it. */
export function setupWithMoreOptions(manager: Manager): void {
  newControllerManagedBy(manager)
    // Only when the spec has changed: what it writes into the status does not wake it.
    .for(memcacheds, { predicates: [generationChanged] })
    .owns(deployments)
    // Two Memcacheds at a time, but never the same one concurrently. Default: 1.
    .withOptions({ maxConcurrentReconciles: 2 })
    .complete(createMemcachedReconciler(manager));
}
