import type { JsonPatchOperation } from "@operator-path/client";
import { type KubeObject, type PatchType, type Resource, UsageError } from "@operator-path/client";
import { applyMergePatch } from "../../client/merge-patch.ts";
import { refuseMetadataAlone } from "../../client/metadata-only.ts";
import { objectKeyOf } from "../../client/object-key.ts";
import type { Scheme } from "../../client/scheme.ts";
import { refuseUndefined } from "../../client/selector-text.ts";
import {
  applyOptions,
  isDryRun,
  resourceOf,
  type WriteDefaults,
  withDefaults,
} from "../../client/server-writer.ts";
import { badRequest, conflict, invalid, notFound, unknownFormat } from "../../client/status-errors.ts";
import type { ApplyOptions, DeleteOptions, PatchOptions, WriteOptions, Writer } from "../../client/writer.ts";
import { applyConfiguration } from "./apply.ts";
import { otherUid } from "./checks.ts";
import { select } from "./fake-reader.ts";
import type { FakeStore } from "./fake-store.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { isBuiltIn } from "./kinds.ts";
import type { FakeIndex } from "./options.ts";
import { applyStrategicMergePatch } from "./strategic-merge.ts";

export function createFakeWriter(
  store: FakeStore,
  scheme: Scheme,
  defaults: WriteDefaults,
  indexes: readonly FakeIndex[],
): Writer {
  return {
    async create<T extends KubeObject>(object: T, options: WriteOptions = {}) {
      refuseMetadataAlone(object);
      const { dryRun = false, fieldManager } = withDefaults(options, defaults);
      return own(store.create(resourceOf(scheme, object), object, { dryRun, fieldManager })) as T;
    },
    async update<T extends KubeObject>(object: T, options: WriteOptions = {}) {
      refuseMetadataAlone(object);
      const { dryRun = false, fieldManager } = withDefaults(options, defaults);
      const written = { part: "main", dryRun, fieldManager } as const;
      return own(store.update(resourceOf(scheme, object), object, written)) as T;
    },
    async patch<T extends KubeObject>(
      object: T,
      patch: { type: PatchType; data(object: T): unknown },
      options: PatchOptions = {},
    ) {
      return own(patchPart(store, scheme, object, patch, "main", withDefaults(options, defaults))) as T;
    },
    apply: (async (configuration: KubeObject, options: ApplyOptions = {}) =>
      own(
        applyPart(store, scheme, configuration, "main", withDefaults(options, defaults)),
      )) as Writer["apply"],
    async delete(object, options = {}) {
      const resource = resourceOf(scheme, object);
      checkPreconditions(store, resource, object, options.preconditions);
      store.delete(resource, objectKeyOf(object), isDryRun(options, defaults));
    },
    async deleteAllOf(resource, options = {}) {
      refuseUndefined(options);
      if (resource.namespaced && !options.namespace) {
        throw new UsageError(
          `the API deletes ${resource.plural} in one namespace at a time: set namespace in the options`,
        );
      }
      for (const object of select(store, indexes, resource, options)) {
        store.delete(resource, objectKeyOf(object), isDryRun(options, defaults));
      }
    },
  };
}

/** Stored objects stay frozen. The caller receives a copy, as from a server. */
export function own<T>(stored: T): T {
  return structuredClone(stored);
}

export function patchPart<T extends KubeObject>(
  store: FakeStore,
  scheme: Scheme,
  object: T,
  patch: { type: PatchType; data(object: T): unknown },
  part: "status" | "main",
  options: PatchOptions,
  /** Selects the part of the patched object to write. */
  narrow: (resource: Resource, old: KubeObject, patched: KubeObject) => KubeObject = (_, __, patched) =>
    patched,
): KubeObject {
  if (patch.type === "apply") {
    return applyPart(store, scheme, patch.data(object) as KubeObject, part, options);
  }
  const resource = resourceOf(scheme, object);
  const old = store.get(resource, objectKeyOf(object));
  const patched = patchedWith(resource, old, patch.type, patch.data(object));
  const { name, namespace } = patched.metadata ?? {};
  if (name !== old.metadata.name || namespace !== old.metadata.namespace) {
    const why = `the name of the object (${name}) does not match the name on the URL (${old.metadata.name})`;
    throw badRequest(resource, old.metadata.name, why);
  }
  const { dryRun = false, fieldManager } = options;
  const written = { part, dryRun, fieldManager, unconditional: true } as const;
  return store.update(resource, narrow(resource, old, patched), written);
}

export function applyPart(
  store: FakeStore,
  scheme: Scheme,
  config: KubeObject,
  part: "status" | "main",
  options: ApplyOptions,
): KubeObject {
  const resource = resourceOf(scheme, config);
  const { fieldManager: manager = "", dryRun = false, force = false } = applyOptions(options, {});
  const key = objectKeyOf(config);
  if (key.name === "") throw new UsageError(`a ${resource.kind} to apply needs a name: set metadata.name`);
  const live = store.ownershipOf(resource, key);
  const { object, ownership } = applyConfiguration({
    ...{ resource, live, config, manager, part, force },
    // Without a status subresource, the status is a field like any other.
    fields: store.hasStatus(resource) ? part : "all",
  });
  if (live) return store.update(resource, object, { part, dryRun, ownership, unconditional: true });
  if (part === "status") throw notFound(resource, key.name);
  const { resourceVersion: _, uid, ...metadata } = object.metadata ?? {};
  if (uid) throw conflict(resource, key.name, otherUid(uid, ""));
  return store.create(resource, { ...object, metadata }, { dryRun, ownership });
}

function patchedWith(resource: Resource, old: KubeObject, type: PatchType, data: unknown): KubeObject {
  if (type === "merge") return applyMergePatch(old, data) as KubeObject;
  if (type === "strategic" && !isBuiltIn(resource)) throw unknownFormat(resource, old.metadata?.name ?? "");
  try {
    if (type === "strategic") return applyStrategicMergePatch(old, data, resource.kind) as KubeObject;
    return applyJsonPatch(old, data as JsonPatchOperation[]) as KubeObject;
  } catch (error) {
    throw invalid(resource, old.metadata?.name ?? "", "patch", (error as Error).message);
  }
}

function checkPreconditions(
  store: FakeStore,
  resource: Resource,
  object: KubeObject,
  { uid, resourceVersion }: NonNullable<DeleteOptions["preconditions"]> = {},
): void {
  const { name, metadata } = {
    name: object.metadata?.name ?? "",
    ...store.get(resource, objectKeyOf(object)),
  };
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(resource, name, otherUid(uid, metadata.uid));
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      resource,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}
