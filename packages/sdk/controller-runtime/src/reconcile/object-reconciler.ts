import type { Frozen, KubeObject, Resource } from "@operator-path/client";
import { ignoreNotFound } from "../client/errors.ts";
import type { Reader } from "../client/reader.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";

/** Go: reconcile.ObjectReconciler, as a function. */
export type ObjectReconcileFunction<T extends KubeObject> = (
  object: Frozen<T>,
  context: ReconcileContext,
) => ReturnType<Reconciler["reconcile"]>;

/**
 * A reconciler that is given the object itself, as the reader has it (Go: reconcile.AsReconciler). Of one that is gone it is
 * not told: what is to be done then belongs to a finalizer.
 *
 * `.for(memcacheds).complete(asReconciler(manager.client, memcacheds, async (memcached) => { … }))`
 */
export function asReconciler<T extends KubeObject>(
  reader: Reader,
  resource: Resource<T>,
  reconcile: ObjectReconcileFunction<T>,
): Reconciler {
  return {
    async reconcile(request, context) {
      const { signal } = context;
      const object = await reader.get(resource, request, { signal }).catch(ignoreNotFound);
      return object && (await reconcile(object, context));
    },
  };
}
