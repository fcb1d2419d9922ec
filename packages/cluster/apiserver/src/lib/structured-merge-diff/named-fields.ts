import { type FieldSet, leafSet } from "./field-set.ts";
import { fieldName, type PathElement } from "./path-element.ts";
import type { FieldType } from "./typed-schema.ts";

/**
 * Returns the set with each named field above a member as a member: fields of structs, not members of maps
 * (Set.EnsureNamedFieldsAreMembers of structured-merge-diff).
 */
export function withNamedFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  if (set.children === undefined) return set;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const name = fieldName(element);
    const field = name === undefined ? undefined : type?.map?.field(name);
    const below =
      name !== undefined
        ? (field ?? type?.map?.element)
        : element.startsWith("k:")
          ? type?.list?.element
          : undefined;
    const named = withNamedFields(child, below);
    const isMember = named.member || field !== undefined;
    children.set(element, isMember === named.member ? named : asMember(named));
  }
  return { member: set.member, children };
}

function asMember({ children }: FieldSet): FieldSet {
  return children === undefined ? leafSet : { member: true, children };
}
