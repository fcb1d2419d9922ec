import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import {
  ADDED,
  compareValues,
  MODIFIED,
  memberType,
  selectPaths,
} from "../../lib/structured-merge-diff/compare.ts";
import { difference, type FieldSet, recursiveDifference } from "../../lib/structured-merge-diff/field-set.ts";
import type { FieldType, MapType } from "../../lib/structured-merge-diff/typed-schema.ts";
import {
  equalValues,
  isEmptyObject,
  itemElement,
  shapeOf,
  type TypedObject,
} from "../../lib/structured-merge-diff/typed-value.ts";

/** By the outline of new objects of a type, see `outline`. Bounded: the oldest entries are dropped first. */
const known = new WeakMap<FieldType, Map<string, FieldSet>>();
const limit = 256;

/**
 * Returns the fields that the creator of an object owns. Most new objects of a kind set the same fields as an
 * earlier one, such as the Pods of a Deployment. They share one set, which is found without building it.
 *
 * @param empty the empty object of the type, always the same one
 * @throws TypedValueError
 */
export function fieldsOfCreate(
  empty: TypedObject,
  object: TypedObject,
  resetFields: FieldSet,
  stripped: FieldSet,
): FieldSet {
  const { type } = object;
  let sets = known.get(type);
  if (sets === undefined) {
    sets = new Map();
    known.set(type, sets);
  }
  const key = outline(empty.value, object.value, type);
  let set = sets.get(key);
  if (set === undefined) {
    const changed = selectPaths(compareValues(empty.value, object.value, type), ADDED | MODIFIED);
    set = difference(recursiveDifference(changed, resetFields), stripped);
    if (sets.size >= limit) sets.delete(sets.keys().next().value as string);
    sets.set(key, set);
  }
  return set;
}

/** Returns a text that is the same for all objects with the same paths different from `before`. */
function outline(before: JsonValue | undefined, after: JsonValue, type: FieldType): string {
  if (before === undefined) return outlineOf(after, type);
  const map = type.map;
  const isMap = map !== undefined && !map.atomic && isJsonObject(before) && isJsonObject(after);
  if (isMap && shapeOf(after, type) === "map" && !isEmptyObject(before) && !isEmptyObject(after)) {
    return outlineOfMembers(before, after, map);
  }
  // Values that an empty object has as null or zero are compared as a whole.
  return equalValues(before, after) ? "=" : `~${outlineOf(after, type)}`;
}

function outlineOfMembers(before: JsonObject, after: JsonObject, map: MapType): string {
  let text = "{";
  for (const name of Object.keys(after)) {
    const member = after[name];
    if (member === undefined) continue;
    const other = Object.hasOwn(before, name) ? before[name] : undefined;
    text += `${name.length}:${name}${outline(other, member, memberType(map, name))}`;
  }
  return `${text}}`;
}

function outlineOf(value: JsonValue, type: FieldType): string {
  if (Array.isArray(value)) {
    const { list } = type;
    if (!list?.associative || value.length === 0) return "";
    let text = "[";
    for (const item of value) {
      const element = itemElement(list, item);
      text += `${element.length}:${element}${outlineOf(item, list.element)}`;
    }
    return `${text}]`;
  }
  if (!isJsonObject(value)) return "";
  const { map } = type;
  if (map === undefined || map.atomic) return "";
  let text = "{";
  for (const name in value) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${name.length}:${name}`;
    if (typeof member === "object" && member !== null) text += outlineOf(member, memberType(map, name));
    else if (map.field(name) === undefined) memberType(map, name);
  }
  return `${text}}`;
}
