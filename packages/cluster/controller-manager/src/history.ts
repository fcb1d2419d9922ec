import { isDeepStrictEqual } from "node:util";
import {
  type Client,
  type ControllerRevision,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type LabelSelector,
  type PodTemplateSpec,
  type Resource,
} from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import { type Informers, ownedOrOrphaned } from "./informers.ts";
import { createMutationCache } from "./mutation-cache.ts";
import { byCreationTimestamp, isBeingDeleted, nameOf, namespaceOf, uidOf } from "./objects.ts";
import { claim, controllerOf, controllerRef } from "./ownership.ts";
import { controllerRevisions } from "./resources.ts";

/**
 * The revisions of a StatefulSet or DaemonSet, which `kubectl rollout history` and `undo` read.
 * (pkg/controller/history.)
 */
export interface RevisionHistory {
  /** Lists the owner's revisions, oldest first. Adopts matching orphans. */
  list(owner: KubeObject & { spec?: { selector?: LabelSelector } }): Promise<ControllerRevision[]>;
  /**
   * Creates a revision. Resolves with "collision" if another revision has the name. The caller then raises
   * the owner's collision count and hashes again.
   */
  create(owner: KubeObject, revision: NewRevision): Promise<ControllerRevision | "collision">;
  /** Makes an old revision the latest, for a rollback. */
  renumber(revision: ControllerRevision, number: number): Promise<ControllerRevision>;
  remove(revision: ControllerRevision): Promise<void>;
}

interface NewRevision {
  name: string;
  data: RevisionData;
  revision: number;
  labels: Record<string, string>;
}

export function createRevisionHistory(
  client: Client,
  informers: Informers,
  ownerResource: Resource,
): RevisionHistory {
  const cache = createMutationCache(informers.controllerRevisions);
  const inNamespaceOf = (object: KubeObject) =>
    client.resource(controllerRevisions).namespace(namespaceOf(object));

  return {
    async list(owner) {
      const matches = ({ metadata }: ControllerRevision) =>
        matchLabels(owner.spec?.selector ?? {}, metadata?.labels ?? {});
      const owned = await claim({
        client,
        owner,
        ownerResource,
        resource: controllerRevisions,
        matches,
        candidates: cache.overlay(
          ownedOrOrphaned(informers.controllerRevisions, owner),
          (revision) => controllerOf(revision)?.uid === uidOf(owner),
        ),
      });
      return owned
        .filter((revision) => !isBeingDeleted(revision))
        .sort((a, b) => a.revision - b.revision || byCreationTimestamp(a, b));
    },

    async create(owner, { name, data, revision, labels }) {
      const { annotations } = owner.metadata ?? {};
      const wanted: ControllerRevision = {
        metadata: {
          name,
          namespace: namespaceOf(owner),
          labels,
          ...(annotations && { annotations }),
          ownerReferences: [controllerRef(owner, ownerResource)],
        },
        data,
        revision,
      };
      try {
        const created = await inNamespaceOf(owner).create(wanted);
        cache.written(created);
        return created;
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        const existing = await inNamespaceOf(owner).get(name);
        return hasEqualData(existing, data) && controllerOf(existing)?.uid === uidOf(owner)
          ? existing
          : "collision";
      }
    },

    async renumber(revision, number) {
      if (revision.revision === number) return revision;
      const updated = await inNamespaceOf(revision).update({ ...revision, revision: number });
      cache.written(updated);
      return updated;
    },

    async remove(revision) {
      const preconditions = { uid: uidOf(revision) };
      await inNamespaceOf(revision)
        .delete(nameOf(revision), { preconditions })
        .catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      cache.removed(revision);
    },
  };
}

/** Returns the revisions above a history limit, oldest first. Revisions in use do not count. */
export function revisionsToRemove(
  revisions: ControllerRevision[],
  inUse: Set<string>,
  limit = 10,
): ControllerRevision[] {
  const past = revisions.filter((revision) => !inUse.has(nameOf(revision)));
  return past.slice(0, Math.max(0, past.length - limit));
}

/** The content of a ControllerRevision: a strategic merge patch that restores the template. */
interface RevisionData {
  spec: { template: PodTemplateSpec & { $patch: "replace" } };
}

export function revisionData(template: PodTemplateSpec | undefined): RevisionData {
  return { spec: { template: { $patch: "replace", ...template } } };
}

/** Returns the template of a revision. Throws if the revision holds something else. */
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
 * Computes the hash in the name of a StatefulSet's revision, with the same result as Go: FNV-1 over the data
 * as Go writes it, then the collision count. (pkg/controller/history: HashControllerRevision.)
 */
export function revisionHash(data: RevisionData, collisionCount: number): string {
  return safeEncode(String(fnv1(goJson(data) + collisionCount)));
}

/**
 * Writes JSON as Go's encoding/json does: with sorted keys, and with characters escaped that could end a
 * script.
 */
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

/**
 * The label that separates the Pods of one revision from another's (apps.DefaultDeploymentUniqueLabelKey).
 */
export const podTemplateHashLabel = "pod-template-hash";

/**
 * Hashes a Pod template. Equal templates have equal hashes, whatever the order of their keys. The result is
 * the decimal FNV-1a hash, encoded with characters that cannot form a word (k8s.io/apimachinery
 * util/rand.SafeEncodeString), so it has at most 10 characters. It differs from Go's hash, which is not a
 * documented value.
 *
 * @param collisionCount status.collisionCount: changes the hash if the name was taken
 */
export function templateHash(template: PodTemplateSpec, collisionCount?: number): string {
  const text = canonicalJson(template) + (collisionCount === undefined ? "" : `#${collisionCount}`);
  return safeEncode(String(fnv1a32(text)));
}

/**
 * Whether two templates ask for the same Pods. Ignores the hash label, which only the ReplicaSet's template
 * has. Compares templates instead of hashes, because a newer API version may default fields of the Deployment
 * that the old ReplicaSet lacks.
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

/**
 * Writes JSON with sorted keys and without nulls. The API server may write `creationTimestamp: null` or leave
 * it out.
 */
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

const safeCharacters = "bcdfghjklmnpqrstvwxz2456789";

/**
 * Encodes text with letters and digits that cannot form a word (k8s.io/apimachinery
 * util/rand.SafeEncodeString).
 */
function safeEncode(text: string): string {
  return Array.from(text, (char) => safeCharacters[char.charCodeAt(0) % safeCharacters.length]).join("");
}
