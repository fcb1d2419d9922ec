import { type FieldSet, isEmptySet } from "./field-set.ts";

export type Operation = "Apply" | "Update";

/** A manager: meta/v1 ManagedFieldsEntry without its fields. */
export interface ManagerInfo {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  /** "" for the object itself. */
  readonly subresource: string;
}

/** A manager and the fields that it owns, in the version that it wrote. */
export interface ManagedEntry extends ManagerInfo {
  readonly set: FieldSet;
  /** RFC 3339. Undefined if the entry has no time. */
  readonly time: string | undefined;
}

/** By identifier. */
export type Managers = ReadonlyMap<string, ManagedEntry>;

/**
 * Returns the identifier of an entry. Entries with the same identifier are one. That of an applier does not
 * contain the version. The text is that of a real server, because it breaks ties in the order.
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

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the managers with another entry for the identifier, or without it if the entry owns nothing. */
export function withEntry(managers: Managers, identifier: string, entry: ManagedEntry): Managers {
  const changed = new Map(managers);
  if (isEmptySet(entry.set)) changed.delete(identifier);
  else changed.set(identifier, entry);
  return changed;
}
