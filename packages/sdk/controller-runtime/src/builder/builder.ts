import type { KubeObject, Resource } from "@operator-path/client";
import { createController } from "../controller/create-controller.ts";
import { enqueueRequestForObject } from "../handler/enqueue-request-for-object.ts";
import { enqueueRequestForOwner } from "../handler/enqueue-request-for-owner.ts";
import type { Manager } from "../manager/manager.ts";
import type { Request } from "../reconcile/request.ts";
import { planController, type TypedControllerBuilder, type WatchesOptions } from "./typed-builder.ts";

/** Configures a watch of owned objects. */
export interface OwnsOptions<T extends KubeObject = KubeObject> extends WatchesOptions<T> {
  /**
   * Also watches objects that have an owner reference without `controller: true`. Default false.
   * Go: builder.MatchEveryOwner.
   */
  matchEveryOwner?: boolean | undefined;
}

/** Defines what a controller of cluster objects watches. Go: builder.Builder. */
export interface ControllerBuilder extends TypedControllerBuilder<Request> {
  /** Sets the kind to reconcile. Call it once. */
  for<T extends KubeObject>(resource: Resource<T>, options?: WatchesOptions<T>): this;
  /**
   * Watches dependents: objects that the reconciler creates with a controller reference to the `for` object.
   */
  owns<T extends KubeObject>(resource: Resource<T>, options?: OwnsOptions<T>): this;
}

/**
 * Returns a builder for a controller that this manager runs. Go: builder.ControllerManagedBy,
 * ctrl.NewControllerManagedBy.
 */
export function newControllerManagedBy(manager: Manager): ControllerBuilder {
  const plan = planController<Request>(manager, createController);
  const own: Pick<ControllerBuilder, "for" | "owns"> = {
    for(resource, options = {}) {
      if (plan.reconciled) {
        throw new Error(
          `for(…) was already called with ${plan.reconciled.kind}: a controller reconciles one kind; watch others with owns(…) or watches(…)`,
        );
      }
      plan.reconciled = resource;
      plan.watched.push(() => plan.sourceOf(resource, enqueueRequestForObject, options));
      return builder;
    },
    owns(resource, { matchEveryOwner = false, ...options } = {}) {
      plan.owned.push((owner) =>
        plan.sourceOf(resource, enqueueRequestForOwner(owner, { onlyController: !matchEveryOwner }), options),
      );
      return builder;
    },
  };
  // Both parts are one object, so the methods of the typed builder return a builder that also has for(…) and
  // owns(…).
  const builder: ControllerBuilder = Object.assign(plan.builder, own);
  return builder;
}
