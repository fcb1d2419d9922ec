import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { decodeFieldSet, encodeFieldSet, type FieldsV1 } from "../../lib/structured-merge-diff/fields-v1.ts";
import {
  compareText,
  type ManagedEntry,
  type Managers,
  managerIdentifier,
} from "../../lib/structured-merge-diff/managers.ts";

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

/** An entry of managedFields is invalid. */
export class ManagedFieldsError extends Error {
  override readonly name = "ManagedFieldsError";
}

/** Decoded and encoded forms of frozen lists, so that each is computed once. */
const decoded = new WeakMap<readonly JsonValue[], Managers>();
const entries = new WeakMap<ManagedEntry, ManagedFieldsEntry>();

/** Parses metadata.managedFields. @throws ManagedFieldsError, PathElementError */
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

/**
 * Encodes managers for metadata.managedFields: frozen and in order. Returns undefined when there are none.
 */
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

/** Orders appliers first, then by time (older first), name, version and subresource. */
function compareEntries(a: ManagedEntry, b: ManagedEntry): number {
  return (
    compareText(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

/** Returns the seconds since 1970, or 0 for an entry without a time. */
export function seconds({ time }: ManagedEntry): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

const texts = new WeakMap<object, string>();

/**
 * Returns metadata.managedFields as JSON. Many objects share the fields of an entry, so their text is cached.
 */
export function managedFieldsText(list: readonly JsonValue[]): string {
  return `[${list.map(entryText).join(",")}]`;
}

function entryText(entry: JsonValue): string {
  if (!isJsonObject(entry)) return JSON.stringify(entry);
  const { fieldsV1, ...rest } = entry;
  const head = JSON.stringify(rest);
  if (!isJsonObject(fieldsV1) || head === "{}") return JSON.stringify(entry);
  let text = texts.get(fieldsV1);
  if (text === undefined) {
    text = JSON.stringify(fieldsV1);
    if (Object.isFrozen(fieldsV1)) texts.set(fieldsV1, text);
  }
  return `${head.slice(0, -1)},"fieldsV1":${text}}`;
}
