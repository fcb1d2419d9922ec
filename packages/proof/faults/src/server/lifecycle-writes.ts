import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@operator-path/client";
import { keyFor, mergePatch, nameOf, type SimulatedObject } from "./objects.ts";
import type { Revision, Revisions } from "./revisions.ts";
import { alreadyExists, badRequest, conflict, notFound, precondition, refusal } from "./statuses.ts";
import type { Writes } from "./writes.ts";

/**
 * Writes one resource like a kube-apiserver, to judge operators: the status is a subresource, the generation
 * counts changes outside of the metadata, a write without a change makes no version, and an object with
 * finalizers stays with a deletionTimestamp until the last finalizer is removed.
 */
export function createLifecycleWrites(
  revisions: Revisions,
  { plural }: { plural: string },
  { clock, onWrite }: { clock: Clock; onWrite(revision: Revision): void },
): Writes {
  const timestamp = () => new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");

  function existing(namespace: string, name: string): SimulatedObject {
    const object = revisions.get(plural, keyFor(namespace, name));
    if (!object) throw notFound(plural, name);
    return object;
  }

  /** Returns the object in its new state, or in its last one. */
  function store(object: SimulatedObject, isGone = false): SimulatedObject {
    const { namespace, name } = nameOf(object);
    let stored = object;
    const revision = revisions.write(plural, keyFor(namespace, name), (version) => {
      stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
      return isGone ? undefined : stored;
    });
    onWrite(revision);
    return stored;
  }

  const writes: Writes = {
    create(object) {
      const { namespace, name } = nameOf(object);
      if (name === "") throw badRequest("name or generateName is required");
      if (object.metadata?.resourceVersion)
        throw badRequest("resourceVersion should not be set on objects to be created");
      if (revisions.get(plural, keyFor(namespace, name))) throw alreadyExists(plural, name);
      const { status: _, ...rest } = object;
      const metadata = { ...object.metadata, uid: `uid-${revisions.version + 1}`, generation: 1 };
      return store({ ...rest, metadata: { ...metadata, creationTimestamp: timestamp() } });
    },
    update(object, status = false) {
      const { namespace, name } = nameOf(object);
      const old = existing(namespace, name);
      const { resourceVersion: asked, uid } = object.metadata ?? {};
      if (asked && asked !== old.metadata?.resourceVersion) throw conflict(plural, name);
      if (uid && uid !== old.metadata?.uid) throw precondition("UID", uid, old.metadata?.uid ?? "");
      const next = status ? withStatus(old, object.status) : withStatus(kept(object, old), old.status);
      if (isSame(next, old)) return old;
      const added = (next.metadata?.finalizers ?? []).filter(
        (each) => !old.metadata?.finalizers?.includes(each),
      );
      if (old.metadata?.deletionTimestamp && added.length > 0) throw lateFinalizers(plural, name, added);
      return store(next, isFree(next));
    },
    mergePatch(namespace, name, patch, status = false) {
      return writes.update(mergePatch(existing(namespace, name), patch), status);
    },
    delete(namespace, name, { uid, resourceVersion } = {}) {
      const old = existing(namespace, name);
      const { metadata = {} } = old;
      if (uid && uid !== metadata.uid) throw precondition("UID", uid, metadata.uid ?? "");
      if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
        throw precondition("ResourceVersion", resourceVersion, metadata.resourceVersion ?? "");
      }
      if (!metadata.finalizers?.length) return store(old, true);
      if (metadata.deletionTimestamp) return old;
      const deletion = { deletionTimestamp: timestamp(), deletionGracePeriodSeconds: 0 };
      return store({
        ...old,
        metadata: { ...metadata, ...deletion, generation: (metadata.generation ?? 1) + 1 },
      });
    },
  };
  return writes;
}

/** Returns the requested object with the metadata that clients cannot change, and with its generation. */
function kept(object: SimulatedObject, old: SimulatedObject): SimulatedObject {
  const {
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation = 1,
    resourceVersion,
  } = old.metadata ?? {};
  const fixed = { uid, creationTimestamp, resourceVersion, deletionTimestamp, deletionGracePeriodSeconds };
  const body = ({ metadata: _, status: __, ...rest }: SimulatedObject) => rest;
  const isChanged = !isSame(body(object), body(old));
  const metadata = { ...object.metadata, ...fixed, generation: isChanged ? generation + 1 : generation };
  const finalizers = metadata.finalizers?.length ? metadata.finalizers : undefined;
  return { ...object, metadata: JSON.parse(JSON.stringify({ ...metadata, finalizers })) };
}

function withStatus({ status: _, ...object }: SimulatedObject, status: unknown): SimulatedObject {
  return status === undefined || status === null ? object : { ...object, status };
}

function isSame(a: object, b: object): boolean {
  return isDeepStrictEqual(a, b);
}

/** Whether the object is being deleted and has no finalizer left. */
function isFree({ metadata }: SimulatedObject): boolean {
  return metadata?.deletionTimestamp !== undefined && !metadata.finalizers?.length;
}

const lateFinalizers = (plural: string, name: string, added: string[]) =>
  refusal(
    422,
    "Invalid",
    `${plural} ${JSON.stringify(name)} is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
  );

/**
 * Deletes objects that had owners and have none left, like the garbage collector in the background.
 * Finalizers delay the deletion. Owners of a kind that this server does not have count as existing.
 */
export function collectGarbage(
  revisions: Revisions,
  served: readonly { resource: { plural: string; kind: string }; writes: Writes }[],
): void {
  const objects = served.map((each) => ({ ...each, all: revisions.list(each.resource.plural) }));
  const alive = new Set(objects.flatMap(({ all }) => all.map(({ metadata }) => metadata?.uid)));
  const kinds = new Set(served.map(({ resource }) => resource.kind));
  for (const { all, writes } of objects)
    for (const object of all) if (isOrphan(object)) remove(object, writes);

  function isOrphan({ metadata }: SimulatedObject): boolean {
    const owners = metadata?.ownerReferences ?? [];
    const isGone = ({ uid, kind }: { uid: string; kind: string }) => kinds.has(kind) && !alive.has(uid);
    return owners.length > 0 && !metadata?.deletionTimestamp && owners.every(isGone);
  }
}

function remove(object: SimulatedObject, writes: Writes): void {
  const { namespace, name } = nameOf(object);
  writes.delete(namespace, name);
}
