import { isDeepStrictEqual } from "node:util";
import type { PodTemplateSpec } from "@operator-path/client";
import { safeEncode } from "../safe-encode.ts";

/** The label that tells the Pods of one revision from those of another (apps.DefaultDeploymentUniqueLabelKey). */
export const podTemplateHashLabel = "pod-template-hash";

/**
 * A short name for a Pod template: equal templates have equal hashes, whatever the order of their keys.
 * Decimal digits of an FNV-1a hash, spelled with letters and digits that cannot form a word (k8s.io/apimachinery
 * util/rand.SafeEncodeString), hence at most 10 characters. Not the value that Go computes: nobody may rely on that one.
 *
 * @param collisionCount status.collisionCount: makes another hash of the same template when a name was taken.
 */
export function templateHash(template: PodTemplateSpec, collisionCount?: number): string {
  const text = canonicalJson(template) + (collisionCount === undefined ? "" : `#${collisionCount}`);
  return safeEncode(String(fnv1a32(text)));
}

/**
 * Whether two templates ask for the same Pods. The hash label is not compared: only the ReplicaSet's template has it. Nor
 * are the hashes: a new API version may add defaulted fields to the Deployment that the old ReplicaSet lacks.
 */
export function equalIgnoringHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return isDeepStrictEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec): unknown {
  const copy = JSON.parse(canonicalJson(template)) as PodTemplateSpec;
  const labels = copy.metadata?.labels;
  if (labels !== undefined) delete labels[podTemplateHashLabel];
  return copy;
}

/** JSON with sorted keys and without nulls: the API server writes `creationTimestamp: null` or leaves it out. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) => {
    if (entry === null) return undefined;
    if (typeof entry !== "object" || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
