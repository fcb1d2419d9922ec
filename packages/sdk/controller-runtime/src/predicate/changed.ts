import type { LabelSelector, ObjectMeta } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import type { Predicate } from "./predicate.ts";

/**
 * Leaves out updates that have changed nothing (resyncs) (Go: predicate.ResourceVersionChangedPredicate). It reads
 * metadata alone, as all of these do.
 */
export const resourceVersionChanged: Predicate<object> = ({ type, resourceVersion, oldResourceVersion }) =>
  type !== "updated" || resourceVersion !== oldResourceVersion;

/**
 * Leaves out updates that have not changed `metadata.generation` (Go: predicate.GenerationChangedPredicate): of a custom
 * resource with a status subresource, all that have changed only its status or metadata, a reconciler's own among them.
 * Resyncs are left out as well. Kinds without a generation (ConfigMaps, Secrets) never pass: not for them.
 */
export const generationChanged: Predicate<object> = (event) =>
  event.type !== "updated" || event.metadata.generation !== event.oldMetadata?.generation;

/** Leaves out updates that have not changed labels (Go: predicate.LabelChangedPredicate). */
export const labelChanged: Predicate<object> = (event) =>
  event.type !== "updated" || !isSame(event.metadata.labels, event.oldMetadata?.labels);

/** Leaves out updates that have not changed annotations (Go: predicate.AnnotationChangedPredicate). */
export const annotationChanged: Predicate<object> = (event) =>
  event.type !== "updated" || !isSame(event.metadata.annotations, event.oldMetadata?.annotations);

/**
 * Objects with these labels (Go: predicate.LabelSelectorPredicate). To spare memory as well, give the selector to the
 * cache instead (`byObject`).
 *
 * @throws SyntaxError when it is no selector
 */
export function labelSelectorPredicate(selector: LabelSelector | string): Predicate<object> {
  matchLabels(selector, {});
  return (event) => matchLabels(selector, event.metadata.labels);
}

function isSame(a: ObjectMeta["labels"] = {}, b: ObjectMeta["labels"] = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
  );
}
