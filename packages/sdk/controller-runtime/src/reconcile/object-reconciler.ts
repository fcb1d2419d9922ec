import type { Frozen, KubeObject, Resource } from "@operator-path/client";
import { ignoreNotFound } from "../client/errors.ts";
import type { Reader } from "../client/reader.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";

/** A reconciler of whole objects, as a function. Go: reconcile.ObjectReconciler. */
export type ObjectReconcileFunction<T extends KubeObject> = (
  object: Frozen<T>,
  context: ReconcileContext,
) => ReturnType<Reconciler["reconcile"]>;

/**
 * Creates a reconciler that receives the object itself, as the reader returns it. It is not called for
 * deleted objects: use a finalizer for cleanup. Go: reconcile.AsReconciler.
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
