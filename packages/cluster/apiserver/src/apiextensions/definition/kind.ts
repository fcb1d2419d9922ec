import type { BuiltInKind } from "../../kinds/built-in-kind.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { establish, withdraw } from "./names.ts";
import { markTerminating, removeObjects } from "./removal.ts";
import { validateCrd } from "./validate-crd.ts";

const strategy: Strategy = {
  generation: true,
  deletesItself: true,
  returnsDeleted: true,
  // The finalizer delays every deletion, even when there are no objects.
  heldBack: ({ metadata }) => metadata.deletionTimestamp === undefined,
  markDeleting: markTerminating,
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
    // From now on, objects may be stored in this version too.
    const status = isJsonObject(draft.status) ? draft.status : {};
    const stored = Array.isArray(status.storedVersions) ? status.storedVersions : [];
    const missing = storageVersions(draft).filter((version) => !stored.includes(version));
    if (missing.length > 0) draft.status = { ...status, storedVersions: [...stored, ...missing] };
  },
  afterCreate: establish,
  afterUpdate(updated, old, context) {
    if (updated.metadata.deletionTimestamp !== undefined && old.metadata.deletionTimestamp === undefined) {
      removeObjects(updated.metadata.name ?? "", context);
    } else if (updated.metadata.generation !== old.metadata.generation) {
      establish(updated, context);
    }
  },
  afterDelete(deleted, context) {
    withdraw(deleted, context);
  },
};

/** Returns the storage versions. A definition with two of them is rejected. */
function storageVersions(definition: ApiObject): string[] {
  const { versions } = definition.spec as { versions?: { name?: string; storage?: boolean }[] };
  return (versions ?? [])
    .flatMap(({ name, storage }) => (storage && name !== undefined ? [name] : []))
    .slice(0, 1);
}

/**
 * Sets the defaults of an apiextensions/v1 CustomResourceDefinition: names derived from the kind, and no
 * conversion.
 */
function defaultCrd(crd: JsonObject): void {
  const { spec } = crd;
  if (!isJsonObject(spec)) return;
  const { names, conversion } = spec;
  if (isJsonObject(names) && typeof names.kind === "string" && names.kind !== "") {
    if (!names.singular) names.singular = names.kind.toLowerCase();
    if (!names.listKind) names.listKind = `${names.kind}List`;
  }
  if (!isJsonObject(conversion)) spec.conversion = { strategy: "None" };
  else if (!conversion.strategy) conversion.strategy = "None";
  const webhook = isJsonObject(conversion) ? conversion.webhook : undefined;
  const config = isJsonObject(webhook) ? webhook.clientConfig : undefined;
  if (isJsonObject(config) && isJsonObject(config.service) && config.service.port === undefined) {
    config.service.port = 443;
  }
}

/** apiextensions/v1 CustomResourceDefinition. */
export const customResourceDefinitionKind: BuiltInKind = {
  strategy,
  setDefaults: defaultCrd,
  validate: validateCrd,
};
