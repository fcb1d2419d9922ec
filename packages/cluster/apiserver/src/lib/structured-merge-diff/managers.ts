import { type FieldSet, isEmptySet } from "./field-set.ts";

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
