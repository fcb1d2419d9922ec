import { type PathElement, sortPathElements } from "./path-element.ts";

/**
 * An immutable set of field paths, as a tree (fieldpath.Set of structured-merge-diff). The root is the object
 * itself and never a member. The functions below return new sets, which share equal parts.
 */
export interface FieldSet {
  /** Whether the path of this node is in the set. */
  readonly member: boolean;
  /** Never an empty map. */
  readonly children: ReadonlyMap<PathElement, FieldSet> | undefined;
}

export const emptySet: FieldSet = { member: false, children: undefined };
export const leafSet: FieldSet = { member: true, children: undefined };

/** Returns a node, or undefined if it would contain no member. */
function node(member: boolean, children: Map<PathElement, FieldSet> | undefined): FieldSet | undefined {
  if (children === undefined || children.size === 0) return member ? leafSet : undefined;
  return { member, children };
}

export function fieldSetOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, singlePath(path)), emptySet);
}

function singlePath(path: readonly PathElement[]): FieldSet {
  let set: FieldSet = path.length === 0 ? emptySet : leafSet;
  for (const element of [...path].reverse()) set = { member: false, children: new Map([[element, set]]) };
  return set;
}

export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.children === undefined;
}

/** Returns whether the path is a member. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  if (path.length === 0) return false;
  let at: FieldSet | undefined = set;
  for (const element of path) at = at?.children?.get(element);
  return at?.member ?? false;
}

/** Returns the members of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  const member = a.member || b.member;
  if (a.children === undefined || b.children === undefined) {
    return { member, children: a.children ?? b.children };
  }
  const children = new Map(a.children);
  for (const [element, child] of b.children) {
    const own = children.get(element);
    children.set(element, own === undefined ? child : union(own, child));
  }
  return { member, children };
}

/** Returns the members of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return a === b ? a : (intersect(a, b) ?? emptySet);
}

function intersect(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const children = new Map<PathElement, FieldSet>();
  if (a.children !== undefined && b.children !== undefined) {
    for (const [element, child] of a.children) {
      const other = b.children.get(element);
      const both = other === undefined ? undefined : intersect(child, other);
      if (both !== undefined) children.set(element, both);
    }
  }
  return node(a.member && b.member, children);
}

/** Returns the members of `a` that are not in `b`. Keeps members below a member of `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false) ?? emptySet;
}

/** Returns the members of `a` that are neither in `b` nor below a member of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true) ?? emptySet;
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet | undefined {
  const member = a.member && !b.member;
  if (a.children === undefined || b.children === undefined) {
    return member === a.member ? a : node(member, a.children as Map<PathElement, FieldSet> | undefined);
  }
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, other] of b.children) {
    const own = a.children.get(element);
    if (own === undefined) continue;
    const left = recursive && other.member ? undefined : subtract(own, other, recursive);
    if (left === own) continue;
    children ??= new Map(a.children);
    if (left === undefined) children.delete(element);
    else children.set(element, left);
  }
  if (children === undefined && member === a.member) return a;
  return node(member, children ?? (a.children as Map<PathElement, FieldSet>));
}

/** Returns the members without members below them. */
export function leaves(set: FieldSet): FieldSet {
  if (set.children === undefined) return set;
  const children = new Map([...set.children].map(([element, child]) => [element, leaves(child)] as const));
  return { member: false, children };
}

/** Calls back for each member: first the members of a level in their order, then those below. */
export function forEachPath(set: FieldSet, visit: (path: PathElement[]) => void): void {
  walk(set, [], visit);
}

function walk(set: FieldSet, path: PathElement[], visit: (path: PathElement[]) => void): void {
  const { children } = set;
  if (children === undefined) return;
  const elements = sortPathElements([...children.keys()]);
  for (const element of elements) if (children.get(element)?.member) visit([...path, element]);
  for (const element of elements) walk(children.get(element) ?? emptySet, [...path, element], visit);
}
