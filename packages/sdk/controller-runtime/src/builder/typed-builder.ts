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

/** Configures a watch. */
export interface WatchesOptions<T extends KubeObject = KubeObject> {
  /** An event must pass all of these and the predicates of `withEventFilter`. */
  predicates?: readonly Predicate<T>[] | undefined;
}

/**
 * Defines what a controller with its own request type watches. Nothing happens before `complete` or `build`.
 * Go: builder.TypedBuilder.
 */
export interface TypedControllerBuilder<R> {
  /**
   * Watches a resource. With `metadataOnly(resource)` the cache requests and stores only metadata. Then also
   * read it with `metadataOnly(resource)`: a read of whole objects starts a second watch.
   * Go: builder.OnlyMetadata.
   */
  watches<T extends KubeObject>(
    resource: Resource<T>,
    handler: EventHandler<T, R>,
    options?: WatchesOptions<T>,
  ): this;
  /** Same as `watches(metadataOnly(resource), …)`. */
  watchesMetadata(
    resource: Resource,
    handler: EventHandler<PartialObjectMetadata, R>,
    options?: WatchesOptions<PartialObjectMetadata>,
  ): this;
  /** Adds a source of requests, without predicates. */
  watchesRawSource(source: Source<R>): this;
  /** Sets controller options. Later calls override earlier ones. */
  withOptions(options: ControllerOptions): this;
  /** Applies to all watches except raw sources. Several filters are combined with AND. */
  withEventFilter(predicate: Predicate): this;
  /** Sets the name for metrics and logs. Default: the kind of `for`, in lower case. */
  named(name: string): this;
  /**
   * Creates the controller and adds it to the manager.
   *
   * @throws Error when the controller watches nothing, its name is missing or taken, or an option is
   *   invalid
   */
  complete(reconciler: Reconciler<R> | ReconcileFunction<R>): void;
  /** Same as `complete`, and returns the controller. */
  build(reconciler: Reconciler<R> | ReconcileFunction<R>): Controller<R>;
}

/**
 * Returns a builder for a controller with its own request type, for example `{ cluster, namespace, name }` or
 * a string. Requests are plain JSON data. Two equal requests are one. Go: builder.TypedControllerManagedBy.
 */
export function newTypedControllerManagedBy<R>(manager: Manager): TypedControllerBuilder<R> {
  return planController<R>(manager, createTypedController).builder;
}

/** The builder's state, for builders that add methods. */
export interface ControllerPlan<R> {
  readonly builder: TypedControllerBuilder<R>;
  /** The kind of `for`, if any. */
  reconciled: Resource | undefined;
  /** Sources are created in `build`, so that an event filter also applies to watches added before it. */
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
      throw new Error("owns(…) needs for(…): call for(…) with the kind that owns the objects");
    }
    if (watched.length === 0) {
      throw new Error(
        "this controller watches nothing, so it would never reconcile: call for(…), watches(…) or watchesRawSource(…)",
      );
    }
    const controllerName = name ?? reconciled?.kind.toLowerCase();
    if (!controllerName) throw new Error("a controller needs a name: call for(…) or named(…)");
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

/** Returns a GroupKind as Go writes it: "Deployment.apps", "Pod". */
function groupKindOf({ kind, group }: Resource): string {
  return group === "" ? kind : `${kind}.${group}`;
}
