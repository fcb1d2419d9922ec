import { CelEvaluationError } from "./errors.ts";
import type { CelType } from "./types.ts";
import {
  CelDuration,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  typeNameOf,
} from "./values.ts";

/** One signature of a function (OverloadDecl of cel-go, common/decls). */
export interface Overload {
  /** Whether it is called on its first argument: `a.f(b)`. */
  readonly member: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Calls the function. @throws CelEvaluationError */
  invoke(...args: CelValue[]): CelValue;
  /** The cost of a call in cel-go's units, paid before the call. Default: 1. */
  readonly cost?: CallCost;
}

export type CallCost = (args: readonly CelValue[]) => number;

/** Overloads by function name: `size`, `_+_`, `ip.isCanonical`. */
export type Library = Readonly<Record<string, readonly Overload[]>>;

/** The arguments match the overload's types before it is invoked. */
// biome-ignore lint/suspicious/noExplicitAny: the matcher checks arguments against the declared types
type Invoke = (...args: any[]) => CelValue;

/** Returns a function that is called by its name: `f(a)`. */
export function global(args: CelType[], result: CelType, invoke: Invoke, cost?: CallCost): Overload {
  return { member: false, args, result, invoke, ...(cost === undefined ? {} : { cost }) };
}

/** Returns a function that is called on its first argument: `a.f()`. */
export function member(args: CelType[], result: CelType, invoke: Invoke, cost?: CallCost): Overload {
  return { member: true, args, result, invoke, ...(cost === undefined ? {} : { cost }) };
}

/** Merges libraries. Overloads with the same name are joined. */
export function joinLibraries(libraries: readonly Library[]): Map<string, readonly Overload[]> {
  const joined = new Map<string, readonly Overload[]>();
  for (const library of libraries) {
    for (const [name, overloads] of Object.entries(library)) {
      joined.set(name, [...(joined.get(name) ?? []), ...overloads]);
    }
  }
  return joined;
}

/** Returns whether a value has a type. To be quick, it checks only the first element of a list. */
export function matchesType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case "dyn":
    case "parameter":
      return true;
    case "bool":
      return typeof value === "boolean";
    case "int":
      return typeof value === "bigint";
    case "uint":
      return value instanceof CelUint;
    case "double":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "bytes":
      return value instanceof Uint8Array;
    case "null":
      return value === null;
    case "timestamp":
      return value instanceof CelTimestamp;
    case "duration":
      return value instanceof CelDuration;
    case "list":
      return value instanceof CelList && (value.length === 0 || matchesType(value.at(0), type.element));
    case "map":
    case "object":
      return value instanceof CelMap;
    case "type":
      return value instanceof CelTypeValue;
    case "opaque":
      if (type.name === "optional_type") return value instanceof CelOptional;
      return value instanceof CelOpaque && typeNameOf(value) === type.name;
    case "error":
      return false;
  }
}

/** Returns the number of elements, characters or bytes of a value, or 1 if it has no size. */
export function sizeOf(value: CelValue): number {
  if (typeof value === "string") return codePoints(value);
  if (value instanceof CelList || value instanceof Uint8Array) return value.length;
  if (value instanceof CelMap) return value.size;
  return value instanceof CelOptional && value.value !== undefined ? sizeOf(value.value) : 1;
}

export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff && index + 1 < text.length) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Returns the cost of reading a value of this size: a tenth per character. */
export function traversal(size: number): number {
  return Math.ceil(size * 0.1);
}

export function fail(message: string): never {
  throw new CelEvaluationError(message);
}
