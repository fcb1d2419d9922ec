import { isEqualJson } from "../../client/merge-patch.ts";
import type { Field, Fields } from "./field-set.ts";

/** Who may say what a field is (meta/v1: ManagedFieldsEntry). */
export interface Manager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly part: "main" | "status";
  /** In which it wrote last. */
  readonly apiVersion: string;
}

export interface ManagedFields extends Manager {
  readonly fields: Fields;
}

/** Of one object. */
export type Ownership = readonly ManagedFields[];

export function isSameManager(a: Manager, b: Manager): boolean {
  return a.name === b.name && a.operation === b.operation && a.part === b.part;
}

/** After an update: what has changed belongs to who has changed it, and what is gone to nobody. */
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
  const kept = own ? filtered(own.fields, (path) => after.has(path)) : new Map<string, Field>();
  return replaced(others, { ...manager, fields: new Map([...kept, ...changed]) });
}

/** With a manager's fields as they are now; who has none, is forgotten. */
export function replaced(ownership: Ownership, entry: ManagedFields): Ownership {
  return [...ownership.filter((each) => !isSameManager(each, entry)), entry].filter(
    ({ fields }) => fields.size > 0,
  );
}

export function filtered(fields: Fields, keep: (path: string) => boolean): Fields {
  return new Map([...fields].filter(([path]) => keep(path)));
}
