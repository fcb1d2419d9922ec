import { isJsonObject, type JsonObject, type JsonValue, setMember } from "../json/json.ts";
import { memberType } from "./compare.ts";
import type { PathElement } from "./path-element.ts";
import type { FieldType, ListType, MapType } from "./typed-schema.ts";
import { isEmptyObject, itemElement, shapeOf, TypedValueError } from "./typed-value.ts";

/**
 * Merges the applied value into the live one, without removing anything (TypedValue.Merge of
 * structured-merge-diff). Items of a merged list have the order of the applied list, and the other items
 * their place in the live list. The result shares parts with both.
 *
 * @throws TypedValueError
 */
export function mergeValues(
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
  type: FieldType,
): JsonValue | undefined {
  if (applied === undefined) return mergeAs(shapeOf(live, type), live, applied, type);
  const shape = shapeOf(applied, type);
  return mergeAs(shape, live, applied, type);
}

function mergeAs(
  shape: "map" | "scalar" | "list",
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
  type: FieldType,
): JsonValue | undefined {
  if (shape === "map" && type.map !== undefined && !type.map.atomic) {
    const left = filled(live);
    const right = filled(applied);
    if (left !== undefined || right !== undefined) return mergeMaps(left ?? {}, right ?? {}, type.map);
  } else if (shape === "list" && type.list?.associative) {
    const left = Array.isArray(live) ? live : [];
    const right = Array.isArray(applied) ? applied : [];
    if (left.length > 0 || right.length > 0) return mergeLists(left, right, type.list);
  }
  return applied ?? (applied === null ? null : live);
}

function filled(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) && !isEmptyObject(value) ? value : undefined;
}

function mergeMaps(live: JsonObject, applied: JsonObject, map: MapType): JsonValue | undefined {
  const merged: JsonObject = {};
  const mergeMember = (name: string, left: JsonValue | undefined, right: JsonValue | undefined) => {
    if (left === undefined && right === undefined) return;
    // A member that is not applied stays unchanged.
    const value = right === undefined ? left : mergeValues(left, right, memberType(map, name));
    if (value !== undefined) setMember(merged, name, value);
  };
  for (const name of Object.keys(live)) {
    mergeMember(name, live[name], Object.hasOwn(applied, name) ? applied[name] : undefined);
  }
  for (const name of Object.keys(applied)) {
    if (!Object.hasOwn(live, name)) mergeMember(name, undefined, applied[name]);
  }
  return isEmptyObject(merged) ? undefined : merged;
}

interface Index {
  elements: PathElement[];
  /** null for a duplicate element, which is not merged. */
  items: Map<PathElement, JsonValue>;
}

function indexed(items: JsonValue[], list: ListType, allowDuplicates: boolean): Index {
  const index: Index = { elements: [], items: new Map() };
  for (const item of items) {
    const element = itemElement(list, item);
    if (index.items.has(element) && !allowDuplicates) {
      throw new TypedValueError([`duplicate entries for key ${element}`]);
    }
    index.items.set(element, index.items.has(element) ? null : item);
    index.elements.push(element);
  }
  return index;
}

function mergeLists(live: JsonValue[], applied: JsonValue[], list: ListType): JsonValue | undefined {
  const left = indexed(live, list, true);
  const right = indexed(applied, list, false);
  const shared = right.elements.filter((element) => left.items.has(element));
  const taken = new Set<PathElement>();
  const merged: JsonValue[] = [];
  let nextShared = shared.shift();
  const push = (item: JsonValue | undefined, other: JsonValue | undefined) => {
    const value = mergeValues(item, other, list.element);
    if (value !== undefined) merged.push(value);
  };
  const take = (element: PathElement) => {
    taken.add(element);
    push(left.items.get(element), right.items.get(element));
  };
  for (let l = 0, r = 0; l < left.elements.length || r < right.elements.length; ) {
    const liveElement = left.elements[l];
    const appliedElement = right.elements[r];
    if (liveElement !== undefined && appliedElement !== undefined) {
      if (liveElement === appliedElement) {
        take(liveElement);
        l++;
        r++;
        nextShared = shared.shift();
        continue;
      }
      // Both lists have this element, but it is not the next one in the applied order.
      if (right.items.has(liveElement) && nextShared !== undefined && nextShared !== liveElement) {
        l++;
        continue;
      }
    }
    if (liveElement !== undefined) {
      if (!right.items.has(liveElement)) {
        push(live[l], undefined);
        l++;
        continue;
      }
      if (taken.has(liveElement)) l++;
    }
    if (appliedElement !== undefined) {
      take(appliedElement);
      r++;
      if (nextShared === appliedElement) nextShared = shared.shift();
    }
  }
  return merged.length > 0 ? merged : undefined;
}
