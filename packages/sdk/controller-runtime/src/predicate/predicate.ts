import type { KubeObject } from "@operator-path/client";
import { isUpdate, type ObjectEvent, type UpdateEvent } from "../source/object-event.ts";

/** Whether an event is worth a reconcile (Go: predicate.Predicate). */
export type Predicate<T extends object = KubeObject> = (event: ObjectEvent<T>) => boolean;

/** By the type of the event. */
export interface PredicateFunctions<T extends object = KubeObject> {
  added?: Predicate<T>;
  updated?: (event: UpdateEvent<T>) => boolean;
  deleted?: Predicate<T>;
  generic?: Predicate<T>;
}

/** From one function a type of event (Go: predicate.Funcs). Types without one pass. */
export function predicateFuncs<T extends object = KubeObject>(
  functions: PredicateFunctions<T>,
): Predicate<T> {
  return (event) => {
    if (isUpdate(event)) return functions.updated?.(event) ?? true;
    return functions[event.type as Exclude<ObjectEvent["type"], "updated">]?.(event) ?? true;
  };
}

/** By the object, whatever has happened to it; of an update, by what it is now (Go: predicate.NewPredicateFuncs). */
export function newPredicateFuncs<T extends object = KubeObject>(
  filter: (object: T) => boolean,
): Predicate<T> {
  return (event) => filter(event.object);
}

/** All of them (Go: predicate.And); the first that says no ends it. */
export function and<T extends object = KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event));
}

/** One of them (Go: predicate.Or). */
export function or<T extends object = KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** Go: predicate.Not. */
export function not<T extends object = KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}
