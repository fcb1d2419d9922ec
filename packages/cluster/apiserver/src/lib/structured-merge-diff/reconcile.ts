import { type FieldSet, leafSet } from "./field-set.ts";
import { fieldName, type PathElement } from "./path-element.ts";
import type { FieldType } from "./typed-schema.ts";

const reconciled = new WeakMap<FieldSet, FieldType>();

/**
 * Adapts a set to the current type. If a field has become atomic since the set was written, ownership inside
 * it becomes ownership of the whole field (ReconcileFieldSetWithSchema of structured-merge-diff).
 */
export function reconcileWithSchema(set: FieldSet, type: FieldType): FieldSet {
  // Built-in types never change and owners share sets, so most sets have been adapted before.
  if (reconciled.get(set) === type) return set;
  const result = reconcile(set, type, true);
  reconciled.set(result, type);
  return result;
}

function reconcile(set: FieldSet, type: FieldType | undefined, root = false): FieldSet {
  if (set.children === undefined || type === undefined) return set;
  const { map, list } = type;
  if (map !== undefined) {
    if (map.untyped) return set;
    if (map.atomic) return root ? set : leafSet;
    return withChildren(set, (element) => {
      const name = fieldName(element);
      return (name === undefined ? undefined : map.field(name)) ?? map.element;
    });
  }
  if (type.scalar !== undefined || list === undefined) return set;
  return list.associative ? withChildren(set, () => list.element) : leafSet;
}

function withChildren(set: FieldSet, typeOf: (element: PathElement) => FieldType | undefined): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children ?? []) {
    const result = reconcile(child, typeOf(element));
    if (result === child) continue;
    children ??= new Map(set.children);
    children.set(element, result);
  }
  return children === undefined ? set : { member: set.member, children };
}
