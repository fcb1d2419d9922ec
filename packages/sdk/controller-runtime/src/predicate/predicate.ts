import type { KubeObject } from "@operator-path/client";
import { isUpdate, type ObjectEvent, type UpdateEvent } from "../source/object-event.ts";

/** Returns whether an event needs a reconcile. Go: predicate.Predicate. */
export type Predicate<T extends object = KubeObject> = (event: ObjectEvent<T>) => boolean;

/** Predicates by event type. */
export interface PredicateFunctions<T extends object = KubeObject> {
  added?: Predicate<T>;
  updated?: (event: UpdateEvent<T>) => boolean;
  deleted?: Predicate<T>;
  generic?: Predicate<T>;
}

/**
 * Creates a predicate from one function per event type. Types without a function pass. Go: predicate.Funcs.
 */
export function predicateFuncs<T extends object = KubeObject>(
  functions: PredicateFunctions<T>,
): Predicate<T> {
  return (event) => {
    if (isUpdate(event)) return functions.updated?.(event) ?? true;
    return functions[event.type as Exclude<ObjectEvent["type"], "updated">]?.(event) ?? true;
  };
}

/**
 * Creates a predicate on the object, whatever the event. For an update it sees the new object.
 * Go: predicate.NewPredicateFuncs.
 */
export function newPredicateFuncs<T extends object = KubeObject>(
  filter: (object: T) => boolean,
): Predicate<T> {
  return (event) => filter(event.object);
}

/** Passes when all predicates pass. Stops at the first that does not. Go: predicate.And. */
export function and<T extends object = KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event));
}

/** Passes when any predicate passes. Go: predicate.Or. */
export function or<T extends object = KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** Inverts a predicate. Go: predicate.Not. */
export function not<T extends object = KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}
