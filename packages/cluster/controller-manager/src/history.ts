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

/** The revisions of a StatefulSet or DaemonSet: what `kubectl rollout history` and `undo` read. (pkg/controller/history.) */
export interface RevisionHistory {
  /** The owner's revisions, orphans of its selector adopted, oldest first. */
  list(owner: KubeObject & { spec?: { selector?: LabelSelector } }): Promise<ControllerRevision[]>;
  /**
   * Creates a revision. When its name is taken by another one, resolves with "collision": count it in the owner's status
   * and hash again.
   */
  create(owner: KubeObject, revision: NewRevision): Promise<ControllerRevision | "collision">;
  /** Makes an old revision the latest: a rollback. */
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

/** The revisions that a history limit leaves no place for, oldest first. Those in use do not count. */
export function revisionsToRemove(
  revisions: ControllerRevision[],
  inUse: Set<string>,
  limit = 10,
): ControllerRevision[] {
  const past = revisions.filter((revision) => !inUse.has(nameOf(revision)));
  return past.slice(0, Math.max(0, past.length - limit));
}

/** What a ControllerRevision of a StatefulSet or a DaemonSet holds: a strategic merge patch that brings its template back. */
interface RevisionData {
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

const safeCharacters = "bcdfghjklmnpqrstvwxz2456789";

/** Spells a text with letters and digits that cannot form a word (k8s.io/apimachinery util/rand.SafeEncodeString). */
function safeEncode(text: string): string {
  return Array.from(text, (char) => safeCharacters[char.charCodeAt(0) % safeCharacters.length]).join("");
}
