import type { KubeObject, Resource } from "@operator-path/client";
import { metadataOnly, type PartialObjectMetadata } from "../client/metadata-only.ts";
import type { Controller } from "../controller/controller.ts";
import { createTypedController, type NewControllerOptions } from "../controller/create-controller.ts";
import type { ControllerOptions } from "../controller/options.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import type { Manager } from "../manager/manager.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { ReconcileFunction, Reconciler } from "../reconcile/reconciler.ts";
import { kindSource } from "../source/kind.ts";
import type { Source } from "../source/source.ts";

export interface WatchesOptions<T extends KubeObject = KubeObject> {
  /** An event has to pass all of them, and those of `withEventFilter`. */
  predicates?: readonly Predicate<T>[] | undefined;
}

/**
 * Says what a controller watches whose requests are of a type of one's own (Go: builder.TypedBuilder). Nothing happens
 * before `complete` or `build`.
 */
export interface TypedControllerBuilder<R> {
  /**
   * Of `metadataOnly(resource)` only metadata is asked for and kept (Go: builder.OnlyMetadata). Then read it in that way as
   * well, or the cache makes a second watch, for whole objects.
   */
  watches<T extends KubeObject>(
    resource: Resource<T>,
    handler: EventHandler<T, R>,
    options?: WatchesOptions<T>,
  ): this;
  /** The same as `watches(metadataOnly(resource), …)`. */
  watchesMetadata(
    resource: Resource,
    handler: EventHandler<PartialObjectMetadata, R>,
    options?: WatchesOptions<PartialObjectMetadata>,
  ): this;
  watchesRawSource(source: Source<R>): this;
  withOptions(options: ControllerOptions): this;
  /** For everything but raw sources. Several add up. */
  withEventFilter(predicate: Predicate): this;
  /** Of metrics and logs. Default: the kind it is `for`, in lower case. */
  named(name: string): this;
  /**
   * Makes the controller and adds it to the manager.
   *
   * @throws Error when nothing is watched, a name is missing or taken, or an option does not fit
   */
  complete(reconciler: Reconciler<R> | ReconcileFunction<R>): void;
  /** The same, and returns it. */
  build(reconciler: Reconciler<R> | ReconcileFunction<R>): Controller<R>;
}

/**
 * For requests that are more than an object of this cluster, or something else: `{ cluster, namespace, name }`, or a
 * string (Go: builder.TypedControllerManagedBy). They are plain data, as JSON has it; two that say the same are one.
 */
export function newTypedControllerManagedBy<R>(manager: Manager): TypedControllerBuilder<R> {
  return planController<R>(manager, createTypedController).builder;
}

/** What a builder was told so far, for builders that know more words. */
export interface ControllerPlan<R> {
  readonly builder: TypedControllerBuilder<R>;
  /** What is reconciled, when it is an object. */
  reconciled: Resource | undefined;
  /** Made in the end: an event filter holds for what was named before it, too. */
  readonly watched: (() => Source<R>)[];
  readonly owned: ((owner: Resource) => Source<R>)[];
  sourceOf<T extends KubeObject>(
    resource: Resource<T>,
    handler: EventHandler<T, R>,
    options: WatchesOptions<T>,
  ): Source<R>;
}

export function planController<R>(
  manager: Manager,
  create: (name: string, manager: Manager, options: NewControllerOptions<R>) => Controller<R>,
): ControllerPlan<R> {
  const filters: Predicate[] = [];
  let options: ControllerOptions = {};
  let name: string | undefined;

  function build(reconciler: Reconciler<R> | ReconcileFunction<R>): Controller<R> {
    const { reconciled, owned, watched } = plan;
    if (typeof reconciler !== "function" && typeof reconciler?.reconcile !== "function") {
      throw new TypeError(
        "complete(…) and build(…) need a reconciler: a function, or an object with a method reconcile",
      );
    }
    if (owned.length > 0 && !reconciled) {
      throw new Error("owns(…) needs for(…): say whose objects they are");
    }
    if (watched.length === 0) {
      throw new Error(
        "there is nothing that this controller watches, so it would never reconcile: say what with for(…), watches(…) or watchesRawSource(…)",
      );
    }
    const controllerName = name ?? reconciled?.kind.toLowerCase();
    if (!controllerName) throw new Error("a controller needs a name: say for(…) or named(…)");
    const concurrency =
      reconciled && manager.controllerDefaults.groupKindConcurrency?.[groupKindOf(reconciled)];
    const controller = create(controllerName, manager, {
      ...options,
      ...(concurrency && options.maxConcurrentReconciles === undefined
        ? { maxConcurrentReconciles: concurrency }
        : {}),
      ...(reconciled ? { resource: reconciled } : {}),
      reconciler: typeof reconciler === "function" ? { reconcile: reconciler } : reconciler,
    });
    for (const make of watched) controller.watch(make());
    if (reconciled) for (const make of owned) controller.watch(make(reconciled));
    manager.add(controller);
    return controller;
  }

  const builder: TypedControllerBuilder<R> = {
    watches(resource, handler, watchesOptions = {}) {
      plan.watched.push(() => plan.sourceOf(resource, handler, watchesOptions));
      return builder;
    },
    watchesMetadata(resource, handler, watchesOptions = {}) {
      return builder.watches(metadataOnly(resource), handler, watchesOptions);
    },
    watchesRawSource(source) {
      plan.watched.push(() => source);
      return builder;
    },
    withOptions(given) {
      options = { ...options, ...given };
      return builder;
    },
    withEventFilter(predicate) {
      filters.push(predicate);
      return builder;
    },
    named(given) {
      name = given;
      return builder;
    },
    complete(reconciler) {
      build(reconciler);
    },
    build,
  };
  const plan: ControllerPlan<R> = {
    builder,
    reconciled: undefined,
    watched: [],
    owned: [],
    sourceOf: (resource, handler, { predicates = [] }) =>
      kindSource(manager.cache, resource, handler, { predicates: [...filters, ...predicates] }),
  };
  return plan;
}

/** "Deployment.apps", "Pod": as Go writes a GroupKind. */
function groupKindOf({ kind, group }: Resource): string {
  return group === "" ? kind : `${kind}.${group}`;
}
