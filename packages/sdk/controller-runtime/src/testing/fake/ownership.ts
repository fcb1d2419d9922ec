import { isEqualJson } from "../../client/merge-patch.ts";
import type { Field, Fields } from "./field-set.ts";

/** A field manager. meta/v1: ManagedFieldsEntry. */
export interface Manager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly part: "main" | "status";
  /** The API version of its last write. */
  readonly apiVersion: string;
}

export interface ManagedFields extends Manager {
  readonly fields: Fields;
}

/** The field managers of one object. */
export type Ownership = readonly ManagedFields[];

export function isSameManager(a: Manager, b: Manager): boolean {
  return a.name === b.name && a.operation === b.operation && a.part === b.part;
}

/** Returns the owners after an update. The manager owns what it changed. Removed fields have no owner. */
export function ownedAfterUpdate(
  ownership: Ownership,
  { before, after }: { before: Fields; after: Fields },
  manager: Manager,
): Ownership {
  const changed = new Map(
    [...after].filter(
      ([path, { value }]) => !before.has(path) || !isEqualJson(before.get(path)?.value, value),
    ),
  );
  const own = ownership.find((each) => isSameManager(each, manager));
  const others = ownership.map((each) => ({
    ...each,
    fields: filtered(each.fields, (path) => after.has(path) && !changed.has(path)),
  }));
  const retained = own ? filtered(own.fields, (path) => after.has(path)) : new Map<string, Field>();
  return replaced(others, { ...manager, fields: new Map([...retained, ...changed]) });
}

/** Sets the fields of one manager, and drops managers without fields. */
export function replaced(ownership: Ownership, entry: ManagedFields): Ownership {
  return [...ownership.filter((each) => !isSameManager(each, entry)), entry].filter(
    ({ fields }) => fields.size > 0,
  );
}

export function filtered(fields: Fields, keep: (path: string) => boolean): Fields {
  return new Map([...fields].filter(([path]) => keep(path)));
}
