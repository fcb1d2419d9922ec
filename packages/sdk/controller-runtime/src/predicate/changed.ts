import type { LabelSelector, ObjectMeta } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import type { Predicate } from "./predicate.ts";

/**
 * Drops updates without a change, which are resyncs. Like all predicates here it reads only metadata.
 * Go: predicate.ResourceVersionChangedPredicate.
 */
export const resourceVersionChanged: Predicate<object> = ({ type, resourceVersion, oldResourceVersion }) =>
  type !== "updated" || resourceVersion !== oldResourceVersion;

/**
 * Drops updates that do not change `metadata.generation`. For a custom resource with a status subresource
 * these are all changes of only status or metadata, including the reconciler's own. Also drops resyncs. Kinds
 * without a generation (ConfigMaps, Secrets) never pass, so do not use it for them.
 * Go: predicate.GenerationChangedPredicate.
 */
export const generationChanged: Predicate<object> = (event) =>
  event.type !== "updated" || event.metadata.generation !== event.oldMetadata?.generation;

/** Drops updates that do not change labels. Go: predicate.LabelChangedPredicate. */
export const labelChanged: Predicate<object> = (event) =>
  event.type !== "updated" || !isSame(event.metadata.labels, event.oldMetadata?.labels);

/** Drops updates that do not change annotations. Go: predicate.AnnotationChangedPredicate. */
export const annotationChanged: Predicate<object> = (event) =>
  event.type !== "updated" || !isSame(event.metadata.annotations, event.oldMetadata?.annotations);

/**
 * Passes objects with these labels. To save memory as well, give the selector to the cache instead
 * (`byObject`). Go: predicate.LabelSelectorPredicate.
 *
 * @throws SyntaxError when the selector is invalid
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
