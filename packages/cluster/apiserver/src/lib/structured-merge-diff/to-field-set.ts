import { isJsonObject, type JsonValue } from "../json/json.ts";
import { memberType } from "./compare.ts";
import { emptySet, type FieldSet, leafSet } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import type { FieldType, ListType } from "./typed-schema.ts";
import { isEmptyObject, itemElement, shapeOf } from "./typed-value.ts";

/**
 * Returns the paths of a value (TypedValue.ToFieldSet of structured-merge-diff): its leaves, list items and
 * map members. Structs are included only if they are empty.
 *
 * @throws TypedValueError
 */
export function toFieldSet(value: JsonValue, type: FieldType): FieldSet {
  return visit(value, type) ?? emptySet;
}

/** Returns undefined for a value without paths. */
function visit(value: JsonValue, type: FieldType): FieldSet | undefined {
  switch (shapeOf(value, type)) {
    case "map":
      return visitMap(value, type);
    case "list": {
      const { list } = type;
      if (!list?.associative) return leafSet;
      return Array.isArray(value) ? below(itemsOf(value, list)) : undefined;
    }
    default:
      return leafSet;
  }
}

function below(children: Map<PathElement, FieldSet>): FieldSet | undefined {
  return children.size === 0 ? undefined : { member: false, children };
}

function visitMap(value: JsonValue, { map }: FieldType): FieldSet | undefined {
  if (map === undefined || map.atomic) return leafSet;
  if (!isJsonObject(value)) return undefined;
  const children = new Map<PathElement, FieldSet>();
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const stated = visit(member, memberType(map, name));
    const isMember =
      member === null || (isJsonObject(member) && isEmptyObject(member)) || map.field(name) === undefined;
    const set = isMember ? withSelf(stated) : stated;
    if (set !== undefined) children.set(fieldElement(name), set);
  }
  return below(children);
}

function itemsOf(items: JsonValue[], list: ListType): Map<PathElement, FieldSet> {
  const elements = items.map((item) => itemElement(list, item));
  const children = new Map<PathElement, FieldSet>();
  for (const [index, element] of elements.entries()) {
    // Of duplicate items, the set contains only the item itself.
    if (children.has(element)) children.set(element, leafSet);
    else children.set(element, withSelf(visit(items[index] ?? null, list.element)));
  }
  return children;
}

function withSelf(set: FieldSet | undefined): FieldSet {
  return set === undefined || set.children === undefined ? leafSet : { member: true, children: set.children };
}
