import { deployments } from "@operator-path/client";
import { generationChanged, type Manager, newControllerManagedBy } from "@operator-path/controller-runtime";
import { memcacheds } from "../../memcached-operator/api/v1alpha1/zz_generated.resources.ts";
import { createMemcachedReconciler } from "../../memcached-operator/controllers/memcached.controller.ts";

/** Sets up the controller with options that the operator does not need. Page 2 quotes it. */
export function setupWithMoreOptions(manager: Manager): void {
  newControllerManagedBy(manager)
    // Changes of the status do not wake it, because they do not change the generation.
    .for(memcacheds, { predicates: [generationChanged] })
    .owns(deployments)
    // Several Memcacheds at a time, but never the same one concurrently.
    .withOptions({ maxConcurrentReconciles: 2 })
    .complete(createMemcachedReconciler(manager));
}
