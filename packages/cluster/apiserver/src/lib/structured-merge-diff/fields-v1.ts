import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { emptySet, type FieldSet, leafSet } from "./field-set.ts";
import { type PathElement, parsePathElement, sortPathElements } from "./path-element.ts";

/**
 * meta/v1 FieldsV1: a tree of path elements. `.` marks a node that is a member itself. So is a node without
 * children.
 */
export type FieldsV1 = JsonObject;

/**
 * Objects of a kind often own the same fields, so each FieldsV1 is cached once, frozen, with its decoded set.
 * The cache is bounded and drops the oldest first.
 */
const interned = new Map<string, FieldsV1>();
const internedLimit = 1024;
const sets = new WeakMap<FieldsV1, FieldSet>();

/** Encodes a set. Equal sets return the same frozen object. */
export function encodeFieldSet(set: FieldSet): FieldsV1 {
  let fields = encoded.get(set);
  if (fields === undefined) {
    fields = intern(encodeNode(set, false), set);
    encoded.set(set, fields);
  }
  return fields;
}

const encoded = new WeakMap<FieldSet, FieldsV1>();

function encodeNode({ children }: FieldSet, self: boolean): FieldsV1 {
  const fields: FieldsV1 = {};
  if (children === undefined) return fields;
  if (self) fields["."] = nothing;
  for (const element of sortPathElements([...children.keys()])) {
    const child = children.get(element);
    if (child === undefined) continue;
    fields[element] = child.children === undefined ? nothing : encodeNode(child, child.member);
  }
  return fields;
}

const nothing: FieldsV1 = Object.freeze({});

/** Decodes a set. Equal frozen objects return the same set. @throws PathElementError */
export function decodeFieldSet(fields: FieldsV1): FieldSet {
  const known = sets.get(fields);
  if (known !== undefined) return known;
  const text = JSON.stringify(fields);
  const same = interned.get(text);
  const set = (same === undefined ? undefined : sets.get(same)) ?? decodeRoot(fields);
  // An object from outside may still change before it is stored.
  if (Object.isFrozen(fields)) sets.set(fields, set);
  return set;
}

function decodeRoot(fields: FieldsV1): FieldSet {
  const children = decodeChildren(fields);
  return children === undefined ? emptySet : { member: false, children };
}

function decodeNode(value: JsonValue | undefined): FieldSet {
  if (!isJsonObject(value)) return leafSet;
  const children = decodeChildren(value);
  if (children === undefined) return leafSet;
  return { member: Object.hasOwn(value, "."), children };
}

function decodeChildren(fields: FieldsV1): Map<PathElement, FieldSet> | undefined {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [key, value] of Object.entries(fields)) {
    if (key === ".") continue;
    const element = parsePathElement(key);
    if (element === undefined) continue;
    children ??= new Map();
    children.set(element, decodeNode(value));
  }
  return children;
}

function intern(fields: FieldsV1, set: FieldSet): FieldsV1 {
  const text = JSON.stringify(fields);
  const known = interned.get(text);
  if (known !== undefined) return known;
  freeze(fields);
  if (interned.size >= internedLimit) interned.delete(interned.keys().next().value as string);
  interned.set(text, fields);
  sets.set(fields, set);
  return fields;
}

function freeze(fields: FieldsV1): void {
  Object.freeze(fields);
  for (const member of Object.values(fields)) if (isJsonObject(member) && member !== nothing) freeze(member);
}
