import type { CelType } from "./types.ts";

/**
 * A value of a running expression. An int is a bigint and a double is a number, so that `1` and `1.0` differ.
 * Types that JavaScript lacks are objects.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelList
  | CelMap
  | CelTimestamp
  | CelDuration
  | CelTypeValue
  | CelOptional
  | CelOpaque;

/** An unsigned integer of 64 bits. */
export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A list. Elements from JSON are converted when they are read. */
export class CelList {
  readonly length: number;
  readonly #at: (index: number) => CelValue;
  /** Defined for a list of type set or map: how it is compared and joined. */
  readonly semantics: ListSemantics | undefined;

  constructor(length: number, at: (index: number) => CelValue, semantics?: ListSemantics) {
    this.length = length;
    this.#at = at;
    this.semantics = semantics;
  }

  static of(values: readonly CelValue[]): CelList {
    return new CelList(values.length, (index) => values[index] as CelValue);
  }

  /** Returns an element. @param index must be within the list */
  at(index: number): CelValue {
    return this.#at(index);
  }

  *[Symbol.iterator](): Generator<CelValue> {
    for (let index = 0; index < this.length; index++) yield this.#at(index);
  }
}

/** The semantics of x-kubernetes-list-type. Order does not matter for these lists. */
export interface ListSemantics {
  equals(a: CelList, b: CelList): boolean;
  join(a: CelList, b: CelList): CelList;
}

/**
 * A map, or an object of a schema. Keys are strings, ints, uints or bools. Equal numbers of different types
 * are the same key.
 */
export abstract class CelMap {
  abstract readonly size: number;
  abstract get(key: CelValue): CelValue | undefined;
  abstract keys(): Iterable<CelValue>;
}

/** A map that an expression has created. */
export class EntryMap extends CelMap {
  readonly #entries = new Map<string, readonly [CelValue, CelValue]>();

  constructor(entries: Iterable<readonly [CelValue, CelValue]> = []) {
    super();
    for (const [key, value] of entries) this.#entries.set(keyOf(key) ?? "", [key, value]);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const id = keyOf(key);
    return id === undefined ? undefined : this.#entries.get(id)?.[1];
  }

  *keys(): Generator<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Returns a text that is the same for equal keys, or undefined if the value cannot be a key. */
export function keyOf(key: CelValue): string | undefined {
  if (typeof key === "string") return `"${key}`;
  if (typeof key === "boolean") return String(key);
  if (typeof key === "bigint") return `${key}`;
  if (key instanceof CelUint) return `${key.value}`;
  if (typeof key === "number" && Number.isInteger(key)) return `${BigInt(key)}`;
  return undefined;
}

/** google.protobuf.Timestamp: nanoseconds since 1970. */
export class CelTimestamp {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** google.protobuf.Duration, in nanoseconds. */
export class CelDuration {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A type as a value: `type(1)`, `int`. */
export class CelTypeValue {
  readonly type: string;
  constructor(type: string) {
    this.type = type;
  }
}

/** `optional.of(x)`, `optional.none()`, `a.?b`. */
export class CelOptional {
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A value of a type that a library defines: a quantity, a URL, an address. */
export abstract class CelOpaque {
  abstract readonly type: CelType;
  abstract equals(other: CelOpaque): boolean;
}

export function isInt64(value: bigint): boolean {
  return value >= -(2n ** 63n) && value < 2n ** 63n;
}

export function isUint64(value: bigint): boolean {
  return value >= 0n && value < 2n ** 64n;
}

/** Returns the name of a value's type: `type(value)`. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return "null_type";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
  }
  if (value instanceof CelUint) return "uint";
  if (value instanceof CelList) return "list";
  if (value instanceof CelMap) return "map";
  if (value instanceof CelTimestamp) return "google.protobuf.Timestamp";
  if (value instanceof CelDuration) return "google.protobuf.Duration";
  if (value instanceof CelTypeValue) return "type";
  if (value instanceof CelOptional) return "optional_type";
  if (value instanceof CelOpaque) return value.type.kind === "opaque" ? value.type.name : value.type.kind;
  return "bytes";
}

/** Returns a value as a number that can be compared with any other, or undefined if it is not a number. */
export function numeric(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof CelUint ? value.value : undefined;
}

/** Compares with `==`. Values of different types are not equal, except for equal numbers. */
export function equalValues(a: CelValue, b: CelValue): boolean {
  // A list of type map is compared by its keys, even with itself: with a duplicate key it is not equal.
  if (a === b && !(a instanceof CelList && a.semantics !== undefined)) return true;
  const left = numeric(a);
  const right = numeric(b);
  // biome-ignore lint/suspicious/noDoubleEquals: in CEL, as for `==`, a bigint equals a number of the same value
  if (left !== undefined && right !== undefined) return left == right;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof CelList) return b instanceof CelList && equalLists(a, b);
  if (a instanceof CelMap) return b instanceof CelMap && equalMaps(a, b);
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.type === b.type;
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b);
  return a instanceof CelOpaque && b instanceof CelOpaque && typeNameOf(a) === typeNameOf(b) && a.equals(b);
}

function equalLists(a: CelList, b: CelList): boolean {
  if (a.length !== b.length) return false;
  if (a.semantics !== undefined) return a.semantics.equals(a, b);
  for (let index = 0; index < a.length; index++) if (!equalValues(a.at(index), b.at(index))) return false;
  return true;
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined || !equalValues(a.get(key) as CelValue, other)) return false;
  }
  return true;
}

function equalOptionals(a: CelOptional, b: CelOptional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value);
}
