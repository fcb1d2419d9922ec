import {
  type Client,
  type ControllerRevision,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import { type Informers, ownedOrOrphaned } from "../informers.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { byCreationTimestamp, isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { claim, controllerOf, controllerRef } from "../ownership.ts";
import { controllerRevisions } from "../resources.ts";
import { hasEqualData, type RevisionData } from "./revision-data.ts";

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

export interface NewRevision {
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
