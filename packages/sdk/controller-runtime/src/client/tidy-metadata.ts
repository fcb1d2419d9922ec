import type { KubeObject } from "@operator-path/client";
import { isEqualJson } from "./merge-patch.ts";

/** Lists and maps of the metadata that a server drops when they are empty. */
const collections = ["labels", "annotations", "finalizers", "ownerReferences", "managedFields"] as const;

/**
 * Returns the object without empty labels, annotations, finalizers and owners, as a server would store it.
 */
export function tidyMetadata<T extends KubeObject>(object: T): T {
  const { metadata } = object;
  if (!metadata) return object;
  const empty = collections.filter((name) => metadata[name] && Object.keys(metadata[name]).length === 0);
  if (empty.length === 0) return object;
  const nonEmpty = Object.entries(metadata).filter(([name]) => !(empty as string[]).includes(name));
  return { ...object, metadata: Object.fromEntries(nonEmpty) };
}

/**
 * Returns whether a server would store both objects alike. Go: equality.Semantic.DeepEqual, without a schema.
 */
export function isSameObject(a: KubeObject, b: KubeObject): boolean {
  return isEqualJson(tidyMetadata(a), tidyMetadata(b));
}
