import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { emptySet, type FieldSet, leafSet } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import type { FieldType, ListType, MapType } from "./typed-schema.ts";
import { equalValues, isEmptyObject, itemElement, shapeOf, TypedValueError } from "./typed-value.ts";

/** The difference of two values, as a tree of paths. Undefined: they are equal. */
export interface Difference {
  /** The flags of the path itself: bits of ADDED, MODIFIED and REMOVED. */
  flags: number;
  children: Map<PathElement, Difference> | undefined;
}

export const ADDED = 1;
export const MODIFIED = 2;
export const REMOVED = 4;

/** Returns the paths of a difference that have one of the flags. */
export function selectPaths(difference: Difference | undefined, flags: number): FieldSet {
  return (difference === undefined ? undefined : select(difference, flags)) ?? emptySet;
}

function select({ flags, children }: Difference, wanted: number): FieldSet | undefined {
  const member = (flags & wanted) !== 0;
  if (children === undefined) return member ? leafSet : undefined;
  const selected = new Map<PathElement, FieldSet>();
  for (const [element, child] of children) {
    const set = select(child, wanted);
    if (set !== undefined) selected.set(element, set);
  }
  if (selected.size === 0) return member ? leafSet : undefined;
  return { member, children: selected };
}

/**
 * Compares two values of one type (TypedValue.Compare of structured-merge-diff). Undefined stands for a
 * missing field; at most one of the two may be undefined.
 *
 * @throws TypedValueError for items and members that the type does not allow
 */
export function compareValues(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  type: FieldType,
): Difference | undefined {
  // A draft shares frozen parts with the stored object.
  if (before === after) return undefined;
  if (before === undefined) return whole(after as JsonValue, type, ADDED);
  if (after === undefined) return whole(before, type, REMOVED);
  const shape = shapeOf(after, type);
  const difference = compareAs(shape, before, after, type);
  // The type allows several shapes, so both values are reported.
  const former = shapeOf(before, type);
  if (former === shape) return difference;
  return join(compareAs(former, before, after, type), difference);
}

function compareAs(
  shape: "map" | "scalar" | "list",
  before: JsonValue,
  after: JsonValue,
  type: FieldType,
): Difference | undefined {
  if (shape === "map" && type.map !== undefined && !type.map.atomic) {
    const left = filledMap(before);
    const right = filledMap(after);
    if (left !== undefined || right !== undefined) return compareMaps(left ?? {}, right ?? {}, type.map);
  } else if (shape === "list" && type.list?.associative) {
    const left = Array.isArray(before) ? before : [];
    const right = Array.isArray(after) ? after : [];
    if (left.length > 0 || right.length > 0) return compareLists(left, right, type.list);
  }
  return equalValues(before, after) ? undefined : leaves[MODIFIED];
}

function filledMap(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) && !isEmptyObject(value) ? value : undefined;
}

const leaves: Record<number, Difference> = {
  [ADDED]: Object.freeze({ flags: ADDED, children: undefined }),
  [MODIFIED]: Object.freeze({ flags: MODIFIED, children: undefined }),
  [REMOVED]: Object.freeze({ flags: REMOVED, children: undefined }),
};

/** Returns all paths of a value that exists on one side only. */
function whole(value: JsonValue, type: FieldType, flags: number): Difference {
  let children: Map<PathElement, Difference> | undefined;
  if (Array.isArray(value)) {
    const { list } = type;
    if (!list?.associative || value.length === 0) return leaves[flags] as Difference;
    children = new Map();
    for (const item of value) {
      const element = itemElement(list, item);
      children.set(
        element,
        children.has(element) ? (leaves[flags] as Difference) : whole(item, list.element, flags),
      );
    }
  } else if (isJsonObject(value)) {
    const { map } = type;
    if (map === undefined || map.atomic) return leaves[flags] as Difference;
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      children ??= new Map();
      children.set(fieldElement(name), whole(member, memberType(map, name), flags));
    }
  }
  return children === undefined ? (leaves[flags] as Difference) : { flags, children };
}

/** Returns the type of a member. @throws TypedValueError */
export function memberType(map: MapType, name: string): FieldType {
  const type = map.field(name) ?? map.element;
  if (type === undefined) throw new TypedValueError([`.${name}: field not declared in schema`]);
  return type;
}

function compareMaps(before: JsonObject, after: JsonObject, map: MapType): Difference | undefined {
  let children: Map<PathElement, Difference> | undefined;
  const compareMember = (name: string, left: JsonValue | undefined, right: JsonValue | undefined) => {
    if (left === right) return;
    const difference = compareValues(left, right, memberType(map, name));
    if (difference === undefined) return;
    children ??= new Map();
    children.set(fieldElement(name), difference);
  };
  for (const name of Object.keys(after)) {
    const left = Object.hasOwn(before, name) ? before[name] : undefined;
    compareMember(name, left, after[name]);
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) compareMember(name, before[name], undefined);
  }
  return children === undefined ? undefined : { flags: 0, children };
}

function compareLists(before: JsonValue[], after: JsonValue[], list: ListType): Difference | undefined {
  const left = itemsByElement(before, list);
  const right = itemsByElement(after, list);
  let children: Map<PathElement, Difference> | undefined;
  const note = (element: PathElement, difference: Difference | undefined) => {
    if (difference === undefined) return;
    children ??= new Map();
    children.set(element, join(children.get(element), difference) as Difference);
  };
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const leftItems = left.get(element) ?? [];
    const rightItems = right.get(element) ?? [];
    if (leftItems.length <= 1 && rightItems.length <= 1) {
      note(element, compareValues(leftItems[0], rightItems[0], list.element));
    } else if (leftItems.length >= 2 && rightItems.length >= 2) {
      // Duplicate items are owned together.
      if (!equalValues(leftItems, rightItems)) note(element, leaves[MODIFIED]);
    } else if (leftItems.length >= 2) {
      if (rightItems[0] !== undefined) note(element, whole(rightItems[0], list.element, ADDED));
      note(element, leaves[REMOVED]);
    } else {
      if (leftItems[0] !== undefined) note(element, whole(leftItems[0], list.element, REMOVED));
      note(element, leaves[ADDED]);
    }
  }
  return children === undefined ? undefined : { flags: 0, children };
}

function itemsByElement(items: JsonValue[], list: ListType): Map<PathElement, JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

function join(a: Difference | undefined, b: Difference | undefined): Difference | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.children === undefined || b.children === undefined) {
    return { flags: a.flags | b.flags, children: a.children ?? b.children };
  }
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    children.set(element, join(children.get(element), child) as Difference);
  }
  return { flags: a.flags | b.flags, children };
}
