import type { KubeObject } from "@operator-path/client";
import { isEqualJson } from "./merge-patch.ts";

/** Lists and maps of the metadata that a server does not store when they are empty. */
const collections = ["labels", "annotations", "finalizers", "ownerReferences", "managedFields"] as const;

/** The object as a server would store it, as far as empty labels, annotations, finalizers and owners go. */
export function tidyMetadata<T extends KubeObject>(object: T): T {
  const { metadata } = object;
  if (!metadata) return object;
  const empty = collections.filter((name) => metadata[name] && Object.keys(metadata[name]).length === 0);
  if (empty.length === 0) return object;
  const kept = Object.entries(metadata).filter(([name]) => !(empty as string[]).includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** Whether a server would store both alike (Go: equality.Semantic.DeepEqual, of what is not known by a schema). */
export function isSameObject(a: KubeObject, b: KubeObject): boolean {
  return isEqualJson(tidyMetadata(a), tidyMetadata(b));
}
