import { isDeepStrictEqual } from "node:util";
import type { ControllerRevision, PodTemplateSpec } from "@operator-path/client";
import { safeEncode } from "../safe-encode.ts";

/** What a ControllerRevision of a StatefulSet or a DaemonSet holds: a strategic merge patch that brings its template back. */
export interface RevisionData {
  spec: { template: PodTemplateSpec & { $patch: "replace" } };
}

export function revisionData(template: PodTemplateSpec | undefined): RevisionData {
  return { spec: { template: { $patch: "replace", ...template } } };
}

/** The template that a revision holds. Throws when somebody has written something else into it. */
export function templateOf(revision: ControllerRevision): PodTemplateSpec {
  const data = revision.data as RevisionData | undefined;
  if (typeof data?.spec?.template !== "object") {
    throw new Error(`ControllerRevision ${revision.metadata?.name} holds no Pod template: delete it`);
  }
  const { $patch: _, ...template } = data.spec.template;
  return template;
}

export function hasEqualData(revision: ControllerRevision, data: RevisionData): boolean {
  return isDeepStrictEqual(sorted(revision.data), sorted(data));
}

/**
 * The hash that names a StatefulSet's revision, equal to the one that Go computes: FNV-1 over the data as Go writes it,
 * then the collision count. (pkg/controller/history: HashControllerRevision.)
 */
export function revisionHash(data: RevisionData, collisionCount: number): string {
  return safeEncode(String(fnv1(goJson(data) + collisionCount)));
}

/** As encoding/json writes a map: keys in order, and what could end a script spelled out. */
function goJson(value: unknown): string {
  return JSON.stringify(sorted(value)).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, entry]) => [key, sorted(entry)]),
  );
}

function fnv1(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return hash >>> 0;
}
