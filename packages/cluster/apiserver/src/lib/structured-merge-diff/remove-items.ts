import { isJsonObject, type JsonObject, type JsonValue, setMember } from "../json/json.ts";
import { emptySet, type FieldSet, isEmptySet } from "./field-set.ts";
import { fieldElement } from "./path-element.ts";
import type { FieldType, ListType, MapType } from "./typed-schema.ts";
import { isEmptyObject, itemElement, shapeOf } from "./typed-value.ts";

/**
 * Returns a value without the fields and list items of a set, or undefined when nothing is left
 * (TypedValue.RemoveItems of structured-merge-diff). An atomic map or list with a member of the set is
 * removed as a whole. The result shares parts with the value.
 */
export function removeItems(value: JsonValue, remove: FieldSet, type: FieldType): JsonValue | undefined {
  switch (shapeOf(value, type)) {
    case "map":
      return type.map === undefined ? undefined : fromMap(value, remove, type.map);
    case "list":
      return type.list === undefined ? undefined : fromList(value, remove, type.list);
    default:
      return value;
  }
}

function fromMap(value: JsonValue, remove: FieldSet, map: MapType): JsonValue | undefined {
  if (!isJsonObject(value) || isEmptyObject(value) || map.atomic) return undefined;
  const kept: JsonObject = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const below = remove.children?.get(fieldElement(name)) ?? emptySet;
    if (below.member) continue;
    const type = map.field(name) ?? map.element;
    const left =
      isEmptySet(below) || type === undefined ? member : (removeItems(member, below, type) ?? null);
    setMember(kept, name, left);
  }
  return isEmptyObject(kept) ? undefined : kept;
}

function fromList(value: JsonValue, remove: FieldSet, list: ListType): JsonValue | undefined {
  if (!Array.isArray(value) || value.length === 0 || !list.associative) return undefined;
  const kept: JsonValue[] = [];
  for (const item of value) {
    const below = remove.children?.get(itemElement(list, item)) ?? emptySet;
    if (below.member) continue;
    kept.push(isEmptySet(below) ? item : (removeItems(item, below, list.element) ?? null));
  }
  return kept.length === 0 ? undefined : kept;
}
