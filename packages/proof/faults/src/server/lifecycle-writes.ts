import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@operator-path/client";
import { keyFor, mergePatch, nameOf, type SimulatedObject } from "./objects.ts";
import type { Revision, Revisions } from "./revisions.ts";
import { alreadyExists, badRequest, conflict, notFound, precondition, refusal } from "./statuses.ts";
import type { Writes } from "./writes.ts";

/**
 * The writes of one resource as a kube-apiserver has them, for operators to be judged by: the status is a subresource,
 * the generation counts changes of what is not metadata, a write that changes nothing makes no version, and an object
 * with finalizers lingers, with a deletionTimestamp, until the last of them is taken away.
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

  /** The object in its new state, or in its last one. */
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

/** As asked, with the metadata that nobody may change, and the generation that follows. */
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

/** It is being deleted, and nothing holds it up any more. */
function isFree({ metadata }: SimulatedObject): boolean {
  return metadata?.deletionTimestamp !== undefined && !metadata.finalizers?.length;
}

const lateFinalizers = (plural: string, name: string, added: string[]) =>
  refusal(
    422,
    "Invalid",
    `${plural} ${JSON.stringify(name)} is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
  );
