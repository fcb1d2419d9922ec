import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../clock.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import type { CustomResourceDefinition } from "../../types/custom.ts";
import type { ApiContext } from "../context.ts";
import { deleteAll } from "../delete.ts";
import type { Strategy } from "../strategy.ts";
import { acceptNames, type DefinitionNames } from "./accepted-names.ts";

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
    withdraw(deleted as Definition, context);
  },
};

/** The version that objects are stored in. (A definition with two of them is refused.) */
function storageVersions(definition: ApiObject): string[] {
  const { versions } = definition.spec as { versions?: { name?: string; storage?: boolean }[] };
  return (versions ?? [])
    .flatMap(({ name, storage }) => (storage && name !== undefined ? [name] : []))
    .slice(0, 1);
}

/**
 * Accepts the definition's names, if no other one of the group has them, and then serves its versions: at once, where a
 * real server takes a moment. Once established it stays so: a name that is taken later is refused, and it is served
 * under those that it had.
 */
function establish(definition: ApiObject, context: ApiContext): void {
  const name = definition.metadata.name ?? "";
  const before = context.store.get(collection, name)?.object as Definition | undefined;
  if (before === undefined) return;
  const changed = settle(before, context);
  serve(name, context);
  if (changed) settleOthers(before, context);
}

/** apiextensions/v1 CustomResourceDefinition, as far as its names go. */
type Definition = ApiObject & {
  spec: JsonObject & { group: string; names: DefinitionNames };
  /** Clients may write it too, or leave it out. */
  status?: JsonObject & { acceptedNames?: DefinitionNames | null; conditions?: Condition[] | null };
};

/** apiextensions/v1 CustomResourceDefinitionCondition. */
interface Condition extends JsonObject {
  type: string;
  status: string;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** Writes what becomes of a definition's names into its status. @returns whether its accepted names have changed */
function settle({ metadata, spec, status }: Definition, context: ApiContext): boolean {
  const stored = context.store.get(collection, metadata.name ?? "");
  if (stored === undefined) return false;
  const taken = definitionsOf(spec.group, context).map(acceptedNamesOf);
  const accepted = acceptedNamesOf({ status });
  const { names, ...verdict } = acceptNames(spec.names, accepted, taken);
  const time = timestamp(context.clock.now());
  const conditions = status?.conditions ?? [];
  const isEstablished = conditions.some(({ type, status }) => type === "Established" && status === "True");
  const established =
    verdict.status === "True"
      ? { status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" }
      : { status: "False", reason: "NotAccepted", message: "not all names are accepted" };
  const now = [
    { type: "NamesAccepted", lastTransitionTime: time, ...verdict },
    ...(isEstablished ? [] : [{ type: "Established", lastTransitionTime: time, ...established }]),
  ].reduce<Condition[]>(withCondition, conditions);
  const finalizers = metadata.finalizers ?? [];
  // One that goes has been told to wait for its objects already, and may have them behind it.
  const told = finalizers.includes(cleanup) || metadata.deletionTimestamp !== undefined;
  const draft = {
    ...stored.object,
    metadata: told ? metadata : { ...metadata, finalizers: [...finalizers, cleanup] },
    status: { ...status, acceptedNames: names as unknown as JsonObject, conditions: now },
  };
  if (!isDeepStrictEqual(draft, stored.object)) context.store.replace(collection, stored, draft);
  return !isDeepStrictEqual(names, accepted);
}

function acceptedNamesOf({ status }: Pick<Definition, "status">): DefinitionNames {
  return status?.acceptedNames ?? { plural: "", kind: "" };
}

/** A definition has let go of names: others may have waited for them, and let go of others in turn. */
function settleOthers(definition: Definition, context: ApiContext): void {
  for (const { metadata } of definitionsOf(definition.spec.group, context)) {
    const name = metadata.name ?? "";
    const waiting = context.store.get(collection, name)?.object as Definition | undefined;
    if (name === definition.metadata.name || waiting === undefined) continue;
    if (!settle(waiting, context)) continue;
    serve(name, context);
    settleOthers(waiting, context);
  }
}

function definitionsOf(group: string, context: ApiContext): Definition[] {
  const definitions = context.store.range(collection).map(({ object }) => object as Definition);
  return definitions.filter(({ spec }) => spec.group === group);
}

/** The condition changes its time only with its status. */
function withCondition(conditions: readonly Condition[], condition: Condition): Condition[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  if (before === undefined) return [...conditions, condition];
  const { lastTransitionTime } = before.status === condition.status ? before : condition;
  return conditions.with(index, { ...before, ...condition, lastTransitionTime });
}

/** Served is what is established, under the names that were accepted. */
function serve(name: string, context: ApiContext): void {
  const definition = context.store.get(collection, name)?.object as Definition | undefined;
  if (definition === undefined) return;
  const { spec, status } = definition;
  if (!status?.conditions?.some(({ type, status }) => type === "Established" && status === "True")) return;
  const accepted = { ...definition, spec: { ...spec, names: acceptedNamesOf(definition) } };
  context.registry.addCustomResource(accepted as unknown as CustomResourceDefinition);
}

/** The definition is gone: so are its versions, and its names are free. */
function withdraw(definition: Definition, context: ApiContext): void {
  context.registry.removeCustomResource(definition.metadata.name ?? "");
  settleOthers(definition, context);
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
  const status = isJsonObject(stored.object.status) ? stored.object.status : {};
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
    withdraw(stored.object as Definition, context);
    return;
  }
  context.store.replace(collection, stored, {
    ...stored.object,
    metadata: { ...stored.object.metadata, finalizers },
  });
}
