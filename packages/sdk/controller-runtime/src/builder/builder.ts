import type { KubeObject, Resource } from "@operator-path/client";
import { createController } from "../controller/create-controller.ts";
import { enqueueRequestForObject } from "../handler/enqueue-request-for-object.ts";
import { enqueueRequestForOwner } from "../handler/enqueue-request-for-owner.ts";
import type { Manager } from "../manager/manager.ts";
import type { Request } from "../reconcile/request.ts";
import { planController, type TypedControllerBuilder, type WatchesOptions } from "./typed-builder.ts";

export interface OwnsOptions<T extends KubeObject = KubeObject> extends WatchesOptions<T> {
  /** Also objects that are owned without being controlled (Go: builder.MatchEveryOwner). Default false. */
  matchEveryOwner?: boolean | undefined;
}

/** Says what a controller of a cluster's objects watches (Go: builder.Builder). */
export interface ControllerBuilder extends TypedControllerBuilder<Request> {
  /** What is reconciled. Once. */
  for<T extends KubeObject>(resource: Resource<T>, options?: WatchesOptions<T>): this;
  /** Objects that the reconciler makes for what it is `for`, with a controller reference to it. */
  owns<T extends KubeObject>(resource: Resource<T>, options?: OwnsOptions<T>): this;
}

/** Go: builder.ControllerManagedBy, ctrl.NewControllerManagedBy. */
export function newControllerManagedBy(manager: Manager): ControllerBuilder {
  const plan = planController<Request>(manager, createController);
  const own: Pick<ControllerBuilder, "for" | "owns"> = {
    for(resource, options = {}) {
      if (plan.reconciled) {
        throw new Error(
          `for(…) was called with ${plan.reconciled.kind} already: a controller reconciles one kind; watch others with owns(…) or watches(…)`,
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
  // One object: what the other methods return knows for(…) and owns(…), too.
  const builder: ControllerBuilder = Object.assign(plan.builder, own);
  return builder;
}
