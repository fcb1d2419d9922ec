import { fail, global, type Library, matchesType, member, type Overload, sizeOf } from "../functions.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  parameter,
  string,
  timestamp,
  uint,
} from "../types.ts";
import { CelDuration, CelList, CelMap, CelUint, type CelValue, equalValues } from "../values.ts";
import { operators } from "./operators.ts";

const T = parameter("T");
const list = listOf(T);
const comparable = [int, uint, double, bool, duration, timestamp, string, bytes];

/** The cost of creating a list, without its elements. */
const making = 11;

/** The cost of comparing each element with each other one, and of creating a list. */
const comparing = ([whole]: readonly CelValue[]) => making + 2 * sizeOf(whole as CelValue) ** 2;

/** The cost of reading every element. */
const reading = ([whole]: readonly CelValue[]) => elementsCost(whole as CelValue);

function elementsCost(value: CelValue): number {
  if (typeof value === "string" || value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  if (value instanceof CelList)
    return [...value].reduce<number>((sum, element) => sum + elementsCost(element), 0);
  if (!(value instanceof CelMap)) return 1;
  return [...value.keys()].reduce<number>(
    (sum, key) => sum + elementsCost(key) + elementsCost(value.get(key) as CelValue),
    0,
  );
}

/** The list functions of Kubernetes and of cel-go's extension, and the sets. */
export const lists: Library = {
  isSorted: each(
    comparable,
    () => bool,
    (whole) => isSorted([...whole]),
  ),
  max: each(
    comparable,
    (type) => type,
    (whole) => extreme(whole, "max", 1),
  ),
  min: each(
    comparable,
    (type) => type,
    (whole) => extreme(whole, "min", -1),
  ),
  sum: (
    [
      [int, 0n],
      [uint, new CelUint(0n)],
      [double, 0],
      [duration, new CelDuration(0n)],
    ] as const
  ).map(([type, zero]) => member([listOf(type)], type, (whole: CelList) => sum(whole, zero), reading)),
  indexOf: [
    member(
      [list, T],
      int,
      (whole: CelList, value: CelValue) =>
        BigInt([...whole].findIndex((element) => equalValues(element, value))),
      reading,
    ),
  ],
  lastIndexOf: [
    member(
      [list, T],
      int,
      (whole: CelList, value: CelValue) =>
        BigInt([...whole].findLastIndex((element) => equalValues(element, value))),
      reading,
    ),
  ],
  slice: [
    member([list, int, int], list, slice, ([, from, to]) => making + Math.max(0, Number(to) - Number(from))),
  ],
  flatten: [
    member(
      [listOf(list)],
      list,
      (whole: CelList) => CelList.of(flatten(whole, 1n)),
      (args) => 10 + reading(args),
    ),
    member(
      [listOf(dyn), int],
      listOf(dyn),
      (whole: CelList, depth: bigint) =>
        depth < 0n ? fail("level must be non-negative") : CelList.of(flatten(whole, depth)),
      (args) => 10 + reading(args),
    ),
  ],
  sort: comparable.map((type) =>
    member([listOf(type)], listOf(type), (whole: CelList) => sortBy(whole, whole), comparing),
  ),
  "@sortByAssociatedKeys": comparable.map((type) => member([list, listOf(type)], list, sortBy, comparing)),
  "lists.range": [global([int], listOf(int), range, ([count]) => making + Math.max(0, Number(count)))],
  reverse: [
    member(
      [list],
      list,
      (whole: CelList) => CelList.of([...whole].reverse()),
      ([whole]) => making + sizeOf(whole as CelValue),
    ),
  ],
  distinct: [member([list], list, distinct, comparing)],
  "sets.contains": [global([list, list], bool, (a: CelList, b: CelList) => includesAll(a, b), product)],
  "sets.equivalent": [
    global(
      [list, list],
      bool,
      (a: CelList, b: CelList) => includesAll(a, b) && includesAll(b, a),
      (args) => 2 * product(args) - 1,
    ),
  ],
  "sets.intersects": [
    global(
      [list, list],
      bool,
      (a: CelList, b: CelList) => [...b].some((value) => includes(a, value)),
      product,
    ),
  ],
};

function product([a, b]: readonly CelValue[]): number {
  return 1 + sizeOf(a as CelValue) * sizeOf(b as CelValue);
}

function each(
  types: readonly CelType[],
  result: (type: CelType) => CelType,
  invoke: (whole: CelList) => CelValue,
): Overload[] {
  return types.map((type) => member([listOf(type)], result(type), invoke, reading));
}

/** Calls an operator, so that values of different types are an error. */
function call(operator: string, a: CelValue, b: CelValue): CelValue {
  for (const overload of operators[operator] ?? []) {
    const [left, right] = overload.args;
    if (left !== undefined && right !== undefined && matchesType(a, left) && matchesType(b, right))
      return overload.invoke(a, b);
  }
  return fail("no such overload");
}

function isSorted(values: readonly CelValue[]): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || call("_<=_", before, value) === true;
  });
}

function extreme(whole: CelList, name: string, sign: 1 | -1): CelValue {
  const [first, ...rest] = whole;
  if (first === undefined) return fail(`${name} called on empty list`);
  return rest.reduce<CelValue>(
    (best, value) => (call(sign === 1 ? "_>_" : "_<_", value, best) === true ? value : best),
    first,
  );
}

function sum(whole: CelList, zero: CelValue): CelValue {
  return [...whole].reduce<CelValue>((total, value) => call("_+_", total, value), zero);
}

function slice(whole: CelList, from: bigint, to: bigint): CelList {
  if (from < 0n || to < 0n) return fail(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to)
    return fail(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > whole.length) return fail(`cannot slice(${from}, ${to}), list is length ${whole.length}`);
  return CelList.of([...whole].slice(Number(from), Number(to)));
}

function flatten(whole: CelList, depth: bigint): CelValue[] {
  return [...whole].flatMap((value) =>
    value instanceof CelList
      ? depth > 1n
        ? flatten(value, depth - 1n)
        : depth === 1n
          ? [...value]
          : [value]
      : [value],
  );
}

function sortBy(whole: CelList, keys: CelList): CelList {
  if (whole.length !== keys.length) {
    return fail(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${whole.length} and ${keys.length} elements respectively`,
    );
  }
  const order = [...keys].map((key, index) => ({ key, index }));
  order.sort((a, b) =>
    call("_<_", a.key, b.key) === true ? -1 : call("_<_", b.key, a.key) === true ? 1 : a.index - b.index,
  );
  return CelList.of(order.map(({ index }) => whole.at(index)));
}

function range(count: bigint): CelList {
  return new CelList(Math.max(0, Number(count)), (index) => BigInt(index));
}

function distinct(whole: CelList): CelList {
  const kept: CelValue[] = [];
  for (const value of whole) if (!kept.some((element) => equalValues(element, value))) kept.push(value);
  return CelList.of(kept);
}

function includes(whole: CelList, value: CelValue): boolean {
  for (const element of whole) if (equalValues(element, value)) return true;
  return false;
}

function includesAll(whole: CelList, part: CelList): boolean {
  for (const value of part) if (!includes(whole, value)) return false;
  return true;
}
