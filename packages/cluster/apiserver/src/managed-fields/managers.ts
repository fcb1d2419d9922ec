import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type FieldSet, isEmptySet } from "./field-set.ts";
import { decodeFieldSet, encodeFieldSet, type FieldsV1 } from "./fields-v1.ts";

export type Operation = "Apply" | "Update";

/** Who owns fields: meta/v1 ManagedFieldsEntry without its fields. */
export interface ManagerInfo {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  /** "" for the object itself. */
  readonly subresource: string;
}

/** A manager and the fields that it owns, in the version of the kind that it wrote. */
export interface ManagedEntry extends ManagerInfo {
  readonly set: FieldSet;
  /** RFC 3339; undefined where an entry has none. */
  readonly time: string | undefined;
}

/** By identifier. */
export type Managers = ReadonlyMap<string, ManagedEntry>;

/** meta/v1 ManagedFieldsEntry. */
export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: FieldsV1;
  subresource?: string;
}

/**
 * Entries with the same identifier are one. Appliers are known whatever version they apply. The text is a real
 * server's: ties are broken by it.
 */
export function managerIdentifier(info: ManagerInfo): string {
  const { manager, operation, apiVersion, subresource } = info;
  return JSON.stringify({
    ...(manager === "" ? {} : { manager }),
    operation,
    ...(operation === "Apply" || apiVersion === "" ? {} : { apiVersion }),
    ...(subresource === "" ? {} : { subresource }),
  });
}

/** An entry that cannot be read. */
export class ManagedFieldsError extends Error {
  override readonly name = "ManagedFieldsError";
}

/** What was decoded from, or encoded into, a frozen list, so that nobody does it again. */
const decoded = new WeakMap<readonly JsonValue[], Managers>();
const entries = new WeakMap<ManagedEntry, ManagedFieldsEntry>();

/**
 * Reads metadata.managedFields.
 * @throws ManagedFieldsError, PathElementError
 */
export function decodeManagers(list: JsonValue | undefined): Managers {
  if (!Array.isArray(list)) return new Map();
  const known = decoded.get(list);
  if (known !== undefined) return known;
  const managers = new Map<string, ManagedEntry>();
  for (const [index, value] of list.entries()) {
    const entry = decodeEntry(isJsonObject(value) ? (value as ManagedFieldsEntry) : {}, index);
    managers.set(managerIdentifier(entry), entry);
  }
  if (Object.isFrozen(list)) decoded.set(list, managers);
  return managers;
}

function decodeEntry(value: ManagedFieldsEntry, index: number): ManagedEntry {
  const {
    manager = "",
    operation,
    apiVersion = "",
    fieldsType = "",
    fieldsV1,
    subresource = "",
    time,
  } = value;
  if (operation !== "Apply" && operation !== "Update") {
    throw new ManagedFieldsError("operation must be `Apply` or `Update`");
  }
  if (apiVersion === "") throw new ManagedFieldsError("apiVersion must not be empty");
  if (fieldsType === "") throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== "FieldsV1") {
    throw new ManagedFieldsError(
      `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`,
    );
  }
  const set = decodeFieldSet(isJsonObject(fieldsV1) ? fieldsV1 : {});
  return {
    manager,
    operation,
    apiVersion,
    subresource,
    set,
    time: typeof time === "string" ? time : undefined,
  };
}

/** As metadata.managedFields has them: frozen, in order. undefined when there are none. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const list = [...managers.values()].sort(compareEntries).map(encodeEntry);
  Object.freeze(list);
  decoded.set(list, managers);
  return list;
}

function encodeEntry(entry: ManagedEntry): ManagedFieldsEntry {
  let encoded = entries.get(entry);
  if (encoded === undefined) {
    encoded = {
      ...(entry.manager === "" ? {} : { manager: entry.manager }),
      operation: entry.operation,
      apiVersion: entry.apiVersion,
      ...(entry.time === undefined ? {} : { time: entry.time }),
      fieldsType: "FieldsV1",
      fieldsV1: encodeFieldSet(entry.set),
      ...(entry.subresource === "" ? {} : { subresource: entry.subresource }),
    };
    Object.freeze(encoded);
    entries.set(entry, encoded);
  }
  return encoded;
}

/** Appliers first, then by time (older first), name, version and subresource. */
function compareEntries(a: ManagedEntry, b: ManagedEntry): number {
  return (
    compareText(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

/** Seconds since 1970; 0 for an entry without a time. */
export function seconds({ time }: ManagedEntry): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The managers with another one for the identifier; without it, when it owns nothing. */
export function withEntry(managers: Managers, identifier: string, entry: ManagedEntry): Managers {
  const changed = new Map(managers);
  if (isEmptySet(entry.set)) changed.delete(identifier);
  else changed.set(identifier, entry);
  return changed;
}
