import { timestamp } from "../../clock.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { CustomResourceDefinition } from "../../types/custom.ts";
import type { ApiContext } from "../context.ts";
import { deleteAll } from "../delete.ts";
import type { Strategy } from "../strategy.ts";

const collection = "customresourcedefinitions.apiextensions.k8s.io";
/** Keeps the definition until its objects are gone. */
const cleanup = "customresourcecleanup.apiextensions.k8s.io";

export const customResourceDefinitionStrategy: Strategy = {
  generation: true,
  deletesItself: true,
  initialStatus: () => ({ conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: [] }),
  prepareForCreate(draft) {
    draft.status = {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storageVersions(draft),
    };
  },
  prepareForUpdate(draft, _old, _context, subresource) {
    if (subresource === "status") return;
    // Objects may from now on be stored in this version too.
    const status = isJsonObject(draft.status) ? draft.status : {};
    const stored = Array.isArray(status.storedVersions) ? status.storedVersions : [];
    const missing = storageVersions(draft).filter((version) => !stored.includes(version));
    if (missing.length > 0) draft.status = { ...status, storedVersions: [...stored, ...missing] };
  },
  afterCreate: establish,
  afterUpdate(updated, old, context) {
    if (updated.metadata.deletionTimestamp !== undefined && old.metadata.deletionTimestamp === undefined) {
      terminate(updated, context);
    } else if (updated.metadata.generation !== old.metadata.generation) {
      establish(updated, context);
    }
  },
  afterDelete(deleted, context) {
    context.registry.removeCustomResource(deleted.metadata.name ?? "");
  },
};

/** The version that objects are stored in. (A definition with two of them is refused.) */
function storageVersions(definition: ApiObject): string[] {
  const { versions } = definition.spec as { versions?: { name?: string; storage?: boolean }[] };
  return (versions ?? [])
    .flatMap(({ name, storage }) => (storage && name !== undefined ? [name] : []))
    .slice(0, 1);
}

/** Serves the definition's versions and says so in its status: at once, where a real server takes a moment. */
export function establish(definition: ApiObject, context: ApiContext): void {
  const name = definition.metadata.name ?? "";
  context.registry.addCustomResource(definition as unknown as CustomResourceDefinition);
  const stored = context.store.get(collection, name);
  if (stored === undefined) return;
  const { spec, status, metadata } = stored.object as ApiObject & { spec: JsonObject; status: JsonObject };
  const time = timestamp(context.clock.now());
  const conditions = [
    {
      type: "NamesAccepted",
      status: "True",
      lastTransitionTime: time,
      reason: "NoConflicts",
      message: "no conflicts found",
    },
    {
      type: "Established",
      status: "True",
      lastTransitionTime: time,
      reason: "InitialNamesAccepted",
      message: "the initial names have been accepted",
    },
  ];
  const before = Array.isArray(status.conditions) ? status.conditions : [];
  const finalizers = metadata.finalizers ?? [];
  context.store.replace(collection, stored, {
    ...stored.object,
    metadata: {
      ...metadata,
      finalizers: finalizers.includes(cleanup) ? finalizers : [...finalizers, cleanup],
    },
    status: {
      ...status,
      acceptedNames: spec.names as JsonValue,
      conditions: before.length > 0 ? before : conditions,
    },
  });
}

function collectionOfDefinition(definition: ApiObject): string {
  // The name of a definition is `<plural>.<group>`: that of its objects' collection.
  return definition.metadata.name ?? "";
}

/** The definition was deleted: its objects go first. */
function terminate(definition: ApiObject, context: ApiContext): void {
  const name = definition.metadata.name ?? "";
  const stored = context.store.get(collection, name);
  if (stored === undefined || !(stored.object.metadata.finalizers ?? []).includes(cleanup)) return;
  const status = stored.object.status as JsonObject;
  const condition = {
    type: "Terminating",
    status: "True",
    lastTransitionTime: timestamp(context.clock.now()),
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  context.store.replace(collection, stored, {
    ...stored.object,
    status: { ...status, conditions: [...((status.conditions as JsonValue[] | undefined) ?? []), condition] },
  });
  deleteAll(context, collectionOfDefinition(definition));
  release(context, name);
}

/** Called when a custom resource is gone: perhaps its definition has waited for that. */
export function releaseDefinition(deleted: ApiObject, context: ApiContext): void {
  const { kind, apiVersion } = deleted;
  const type = context.registry
    .resources()
    .find(
      (entry) =>
        entry.custom !== undefined && entry.kind === kind && apiVersion.startsWith(`${entry.group}/`),
    );
  if (type?.custom !== undefined) release(context, type.custom.definition);
}

function release(context: ApiContext, name: string): void {
  const stored = context.store.get(collection, name);
  if (stored?.object.metadata.deletionTimestamp === undefined || context.store.count(name) > 0) return;
  const finalizers = (stored.object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanup);
  if (finalizers.length === 0) {
    context.store.delete(collection, stored);
    context.registry.removeCustomResource(name);
    return;
  }
  context.store.replace(collection, stored, {
    ...stored.object,
    metadata: { ...stored.object.metadata, finalizers },
  });
}
