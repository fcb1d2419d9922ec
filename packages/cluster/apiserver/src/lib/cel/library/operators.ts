import { fail, global, type Library, type Overload, sizeOf, traversal } from "../functions.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  optionalOf,
  parameter,
  string,
  timestamp,
  uint,
} from "../types.ts";
import {
  CelDuration,
  CelList,
  type CelMap,
  CelTimestamp,
  CelUint,
  type CelValue,
  equalValues,
  isInt64,
  isUint64,
  numeric,
} from "../values.ts";
import { checkDuration, checkTimestamp } from "./time.ts";

const A = parameter("A");
const B = parameter("B");
const numbers: readonly CelType[] = [int, uint, double];

/**
 * The operators on values of declared types. Lazy operators have only their types here; logic.ts evaluates
 * them.
 */
export const operators: Library = {
  "_?_:_": [global([bool, A, A], A, lazy)],
  "_&&_": [global([bool, bool], bool, lazy)],
  "_||_": [global([bool, bool], bool, lazy)],
  "!_": [global([bool], bool, (value: boolean) => !value)],
  "@not_strictly_false": [global([bool], bool, lazy)],
  "_==_": [global([A, A], bool, lazy)],
  "_!=_": [global([A, A], bool, lazy)],
  "_[_]": [
    global([listOf(A), int], A, lazy),
    global([mapOf(A, B), A], B, lazy),
    global([optionalOf(listOf(A)), int], optionalOf(A), lazy),
    global([optionalOf(mapOf(A, B)), A], optionalOf(B), lazy),
  ],
  "_?._": [global([dyn, string], dyn, lazy)],
  "_[?_]": [
    global([listOf(A), int], optionalOf(A), lazy),
    global([optionalOf(listOf(A)), int], optionalOf(A), lazy),
    global([mapOf(A, B), A], optionalOf(B), lazy),
    global([optionalOf(mapOf(A, B)), A], optionalOf(B), lazy),
  ],
  "_+_": [
    global([bytes, bytes], bytes, (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b]), bothSides),
    global([double, double], double, (a: number, b: number) => a + b),
    global([duration, duration], duration, (a: CelDuration, b: CelDuration) => addDurations(a, b)),
    global([duration, timestamp], timestamp, (a: CelDuration, b: CelTimestamp) => later(b, a.nanoseconds)),
    global([timestamp, duration], timestamp, (a: CelTimestamp, b: CelDuration) => later(a, b.nanoseconds)),
    global([int, int], int, (a: bigint, b: bigint) => int64(a + b)),
    global([listOf(A), listOf(A)], listOf(A), concat),
    global([string, string], string, (a: string, b: string) => a + b, bothSides),
    global([uint, uint], uint, (a: CelUint, b: CelUint) => uint64(a.value + b.value)),
  ],
  "_-_": [
    global([double, double], double, (a: number, b: number) => a - b),
    global([duration, duration], duration, (a: CelDuration, b: CelDuration) =>
      checkDuration(a.nanoseconds - b.nanoseconds),
    ),
    global([int, int], int, (a: bigint, b: bigint) => int64(a - b)),
    global([timestamp, duration], timestamp, (a: CelTimestamp, b: CelDuration) => later(a, -b.nanoseconds)),
    global([timestamp, timestamp], duration, (a: CelTimestamp, b: CelTimestamp) =>
      checkDuration(a.nanoseconds - b.nanoseconds),
    ),
    global([uint, uint], uint, (a: CelUint, b: CelUint) => uint64(a.value - b.value)),
  ],
  "_*_": [
    global([double, double], double, (a: number, b: number) => a * b),
    global([int, int], int, (a: bigint, b: bigint) => int64(a * b)),
    global([uint, uint], uint, (a: CelUint, b: CelUint) => uint64(a.value * b.value)),
  ],
  "_/_": [
    global([double, double], double, (a: number, b: number) => a / b),
    global([int, int], int, (a: bigint, b: bigint) => int64(a / nonZero(b, "division by zero"))),
    global([uint, uint], uint, (a: CelUint, b: CelUint) =>
      uint64(a.value / nonZero(b.value, "division by zero")),
    ),
  ],
  "_%_": [
    global([int, int], int, (a: bigint, b: bigint) => a % nonZero(b, "modulus by zero")),
    global([uint, uint], uint, (a: CelUint, b: CelUint) =>
      uint64(a.value % nonZero(b.value, "modulus by zero")),
    ),
  ],
  "-_": [
    global([double], double, (value: number) => -value),
    global([int], int, (value: bigint) => int64(-value)),
  ],
  "_<_": ordering((order) => order < 0),
  "_<=_": ordering((order) => order <= 0),
  "_>_": ordering((order) => order > 0),
  "_>=_": ordering((order) => order >= 0),
  "@in": [
    global([A, listOf(A)], bool, contains, ([, list]) => sizeOf(list as CelValue)),
    global([A, mapOf(A, B)], bool, (key: CelValue, map: CelMap) => map.get(key) !== undefined),
  ],
};

function lazy(): never {
  throw new Error("a lazy operator has no overload to call");
}

function bothSides([a, b]: readonly CelValue[]): number {
  return traversal(sizeOf(a as CelValue) + sizeOf(b as CelValue));
}

function nonZero(value: bigint, message: string): bigint {
  return value === 0n ? fail(message) : value;
}

function int64(value: bigint): bigint {
  return isInt64(value) ? value : fail("integer overflow");
}

function uint64(value: bigint): CelUint {
  return isUint64(value) ? new CelUint(value) : fail("unsigned integer overflow");
}

function addDurations(a: CelDuration, b: CelDuration): CelDuration {
  return checkDuration(a.nanoseconds + b.nanoseconds);
}

function later(time: CelTimestamp, nanoseconds: bigint): CelTimestamp {
  return checkTimestamp(time.nanoseconds + nanoseconds);
}

function concat(a: CelList, b: CelList): CelList {
  const semantics = a.semantics ?? b.semantics;
  if (semantics !== undefined) return semantics.join(a, b);
  return new CelList(a.length + b.length, (index) =>
    index < a.length ? a.at(index) : b.at(index - a.length),
  );
}

function contains(value: CelValue, list: CelList): boolean {
  for (const element of list) if (equalValues(value, element)) return true;
  return false;
}

/**
 * Returns overloads for values of one type, and for numbers of all types. Every comparison with NaN is false.
 */
function ordering(holds: (order: number) => boolean): Overload[] {
  const compare = (a: CelValue, b: CelValue) => {
    const order = orderOf(a, b);
    return order !== undefined && holds(order);
  };
  const texts = [string, bytes].map((type) =>
    global([type, type], bool, compare, ([a, b]) =>
      traversal(Math.min(sizeOf(a as CelValue), sizeOf(b as CelValue))),
    ),
  );
  return [
    global([bool, bool], bool, compare),
    ...numbers.flatMap((left) => numbers.map((right) => global([left, right], bool, compare))),
    ...texts,
    ...[timestamp, duration].map((type) => global([type, type], bool, compare)),
  ];
}

function orderOf(a: CelValue, b: CelValue): number | undefined {
  const left = numeric(a) ?? scalar(a);
  const right = numeric(b) ?? scalar(b);
  if (left < right) return -1;
  if (left > right) return 1;
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of one value are equal
  return left == right ? 0 : undefined;
}

/**
 * Returns a value that JavaScript's `<` orders as CEL does. Texts are ordered by code points, like their
 * UTF-8 bytes.
 */
function scalar(value: CelValue): bigint | number | string {
  if (typeof value === "boolean") return Number(value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.nanoseconds;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1");
  return typeof value === "string" ? Buffer.from(value, "utf8").toString("latin1") : 0;
}
