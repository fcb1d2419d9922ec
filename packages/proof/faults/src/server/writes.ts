import type { Clock } from "@operator-path/client";
import { keyFor, mergePatch, nameOf, type SimulatedObject } from "./objects.ts";
import type { Revision, Revisions } from "./revisions.ts";
import { alreadyExists, badRequest, conflict, notFound, precondition } from "./statuses.ts";

export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

/** Writes one resource with a server's checks and metadata. Every function throws ApiError. */
export interface Writes {
  create(object: SimulatedObject): SimulatedObject;
  /** A resourceVersion in the object is a precondition. With `status`, only the status is written. */
  update(object: SimulatedObject, status?: boolean): SimulatedObject;
  /** With `status`, patches the status subresource of a server with a `lifecycle`. */
  mergePatch(namespace: string, name: string, patch: unknown, status?: boolean): SimulatedObject;
  /** Returns the object in its last state. */
  delete(namespace: string, name: string, preconditions?: Preconditions): SimulatedObject;
}

export function createWrites(
  revisions: Revisions,
  resource: { plural: string },
  { clock, onWrite }: { clock: Clock; onWrite(revision: Revision): void },
): Writes {
  const { plural } = resource;

  function put(namespace: string, name: string, make: (version: number) => SimulatedObject | undefined) {
    const revision = revisions.write(plural, keyFor(namespace, name), make);
    onWrite(revision);
    return (revision.after ?? revision.before) as SimulatedObject;
  }

  function existing(namespace: string, name: string): SimulatedObject {
    const object = revisions.get(plural, keyFor(namespace, name));
    if (!object) throw notFound(plural, name);
    return object;
  }

  const timestamp = () => new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");

  function managedFields(object: SimulatedObject): object[] {
    const fields = Object.keys(object).filter((name) => !["apiVersion", "kind", "metadata"].includes(name));
    const fieldsV1 = Object.fromEntries(fields.map((name) => [`f:${name}`, { ".": {} }]));
    return [{ manager: "history", operation: "Update", time: timestamp(), fieldsType: "FieldsV1", fieldsV1 }];
  }

  const writes: Writes = {
    create(object) {
      const { namespace, name } = nameOf(object);
      if (name === "") throw badRequest("name or generateName is required");
      if (revisions.get(plural, keyFor(namespace, name))) throw alreadyExists(plural, name);
      return put(namespace, name, (version) => ({
        ...object,
        metadata: {
          ...object.metadata,
          uid: `uid-${version}`,
          resourceVersion: String(version),
          generation: 1,
          creationTimestamp: timestamp(),
          managedFields: managedFields(object) as never,
        },
      }));
    },
    update(object, status = false) {
      const { namespace, name } = nameOf(object);
      const old = existing(namespace, name);
      const { resourceVersion: asked, uid } = object.metadata ?? {};
      if (asked && asked !== old.metadata?.resourceVersion) throw conflict(plural, name);
      if (uid && uid !== old.metadata?.uid) throw precondition("UID", uid, old.metadata?.uid ?? "");
      const next = status ? { ...old, status: object.status } : { ...object, status: old.status };
      if (next.status === undefined) delete next.status;
      return put(namespace, name, (version) => ({
        ...next,
        metadata: {
          ...next.metadata,
          uid: old.metadata?.uid ?? "",
          creationTimestamp: old.metadata?.creationTimestamp ?? "",
          generation: (old.metadata?.generation ?? 1) + (status ? 0 : 1),
          resourceVersion: String(version),
          managedFields: managedFields(next) as never,
        },
      }));
    },
    mergePatch(namespace, name, patch) {
      return writes.update(mergePatch(existing(namespace, name), patch));
    },
    delete(namespace, name, { uid, resourceVersion } = {}) {
      const old = existing(namespace, name);
      if (uid && uid !== old.metadata?.uid) throw precondition("UID", uid, old.metadata?.uid ?? "");
      if (resourceVersion && resourceVersion !== old.metadata?.resourceVersion) {
        throw precondition("ResourceVersion", resourceVersion, old.metadata?.resourceVersion ?? "");
      }
      return put(namespace, name, () => undefined);
    },
  };
  return writes;
}
