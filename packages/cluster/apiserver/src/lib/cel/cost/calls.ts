import type { Overload } from "../functions.ts";
import type { CelType } from "../types.ts";
import { add, exactly, multiply, type Range, scale, sum, union } from "./range.ts";

/** The properties of an operand that its cost depends on. */
export interface Operand {
  readonly type: CelType;
  readonly size: Range;
  /** Of a list: the size of an element. */
  readonly element: Range;
  /** The value of a literal number. */
  readonly literal: number | undefined;
}

export interface CallCost {
  /** Without the cost of the operands. */
  readonly cost: Range;
  /** The size of the result, if the call defines it. */
  readonly size?: Range;
}

const traversal = 0.1;
const regex = 0.25;
const one = exactly(1);

/**
 * Returns the highest cost of a call, from the sizes of its operands (checker/cost.go of cel-go;
 * library/cost.go of k8s.io/apiserver/pkg/cel). The first operand is the target, if there is one.
 */
export function callCost(name: string, overload: Overload, operands: readonly Operand[]): CallCost {
  const [first, second, third] = operands;
  if (first === undefined) return { cost: one };
  const estimate = Object.hasOwn(estimates, name) ? estimates[name] : undefined;
  return estimate?.(first, second ?? first, overload, third) ?? { cost: one };
}

type Estimate = (
  first: Operand,
  second: Operand,
  overload: Overload,
  third: Operand | undefined,
) => CallCost | undefined;

const read: Estimate = ({ size }) => ({ cost: scale(size, traversal) });
const readAndKeep: Estimate = ({ size }) => ({ cost: scale(size, traversal), size });
const readTwice: Estimate = ({ size }) => ({ cost: scale(size, 2 * traversal) });

/** Assumes one step per four characters of the pattern. */
const find: Estimate = ({ size }, { size: pattern }) => ({
  cost: multiply(scale(add(size, one), traversal), scale(pattern, regex)),
  size: { min: 0, max: size.max },
});

const matches: Estimate = (first, second, overload, third) => {
  if (!overload.member) return undefined;
  const found = find(first, second, overload, third);
  return found === undefined ? undefined : { cost: found.cost };
};

const eachElement: Estimate = ({ type, size, element }) => {
  // This is a text: indexOf.
  if (type.kind !== "list") return { cost: scale(size, traversal) };
  const { kind } = type.element;
  const isText = kind === "string" || kind === "bytes";
  return { cost: multiply(size, isText ? add(one, scale(element, traversal)) : one) };
};

const compareTexts: Estimate = (left, right, { args }) => {
  const [type] = args;
  return type?.kind === "string" || type?.kind === "bytes" ? compareSizes(left.size, right.size) : undefined;
};

function compareSizes(left: Range, right: Range): CallCost {
  const max = Math.min(left.max, right.max);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, traversal) };
}

const fixed = new Set(["net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"]);

const equal: Estimate = (left, right) => {
  if (left.type.kind === "opaque" && right.type.kind === "opaque" && fixed.has(left.type.name))
    return { cost: one };
  return compareSizes(left.size, right.size);
};

const plus: Estimate = (left, right, { args }) => {
  const size = add(left.size, right.size);
  switch (args[0]?.kind) {
    case "list":
      return { cost: one, size };
    case "string":
    case "bytes":
      return { cost: scale(size, traversal), size };
    default:
      return undefined;
  }
};

const join: Estimate = ({ size, element }, separator, { args }) => {
  const elements = multiply(size, element);
  const gaps = { min: Math.max(size.min - 1, 0), max: Math.max(size.max - 1, 0) };
  const whole = args.length > 1 ? add(elements, multiply(separator.size, gaps)) : elements;
  return { cost: scale(whole, traversal), size: whole };
};

const replace: Estimate = ({ size }, { size: old }, _overload, third) => {
  const by = third?.size ?? exactly(0);
  const count = { min: 0, max: 0 };
  const kept = { min: 0, max: 0 };
  if (old.min === 0) [count.max, kept.max] = [size.max + 1, size.max];
  else if (by.max <= old.min) kept.max = size.max;
  else count.max = Math.ceil(size.max / old.min);
  if (old.max === 0) [count.min, kept.min] = [size.min + 1, size.min];
  else if (old.max <= by.min) kept.min = size.min;
  else count.min = Math.ceil(size.min / old.max);
  return { cost: scale(size, 2 * traversal), size: add(multiply(count, by), kept) };
};

const split: Estimate = ({ size }, _by, _overload, third) => ({
  cost: scale(size, 2 * traversal),
  size: { min: 0, max: third?.literal ?? size.max },
});

const address = { min: 4, max: 16 };

const containsIp: Estimate = (_cidr, other, { args }) => {
  const cost = scale(add(address, address), traversal);
  return { cost: args[1]?.kind === "string" ? add(cost, scale(other.size, traversal)) : cost };
};

const containsCidr: Estimate = (_cidr, other, { args }) => {
  const cost = sum([scale(add(address, address), traversal), scale(address, traversal), one]);
  return { cost: args[1]?.kind === "string" ? add(cost, scale(other.size, traversal)) : cost };
};

const selector: Estimate = (_check, { size }) => ({
  cost: sum([exactly(10), scale(size, traversal), scale(scale(size, 0.5), 50)]),
});

const conversion: Record<string, Estimate> = {
  bytes: ({ size }, _second, { args }) =>
    args[0]?.kind === "string"
      ? { cost: scale(size, traversal), size: { min: size.min, max: size.max * 4 } }
      : undefined,
  string: ({ size }, _second, { args }) =>
    args[0]?.kind === "bytes"
      ? { cost: scale(size, traversal), size: { min: Math.floor(size.min / 4), max: size.max } }
      : undefined,
};

const estimates: Record<string, Estimate> = {
  ...conversion,
  check: () => ({ cost: exactly(350_000) }),
  fieldSelector: selector,
  labelSelector: selector,
  isSorted: eachElement,
  sum: eachElement,
  max: eachElement,
  min: eachElement,
  indexOf: eachElement,
  lastIndexOf: eachElement,
  url: readAndKeep,
  lowerAscii: readAndKeep,
  upperAscii: readAndKeep,
  substring: readAndKeep,
  trim: readAndKeep,
  replace,
  split,
  join,
  find,
  findAll: find,
  matches,
  isIP: read,
  isCIDR: read,
  cidr: read,
  ip: (first, second, overload, third) =>
    overload.member ? undefined : read(first, second, overload, third),
  "ip.isCanonical": readTwice,
  containsIP: containsIp,
  containsCIDR: containsCidr,
  quantity: read,
  isQuantity: read,
  semver: read,
  isSemver: read,
  validate: (_format, { size }) => ({ cost: scale(scale(size, traversal), 128 * regex) }),
  format: read,
  "strings.quote": ({ size }) => ({
    cost: scale(size, traversal),
    size: { min: size.min + 2, max: size.max * 2 + 2 },
  }),
  startsWith: (_text, part) => ({ cost: scale(part.size, traversal) }),
  endsWith: (_text, part) => ({ cost: scale(part.size, traversal) }),
  contains: (text, part) => ({ cost: multiply(scale(text.size, traversal), scale(part.size, traversal)) }),
  "@in": (_value, list, { args }) => (args[1]?.kind === "list" ? { cost: list.size } : undefined),
  "_==_": equal,
  "_!=_": equal,
  "_<_": compareTexts,
  "_<=_": compareTexts,
  "_>_": compareTexts,
  "_>=_": compareTexts,
  "_+_": plus,
};

/** Returns the range that covers the cost of two overloads. */
export function eitherCost(a: CallCost | undefined, b: CallCost): CallCost {
  if (a === undefined) return b;
  const cost = union(a.cost, b.cost);
  if (a.size === undefined) return b.size === undefined ? { cost } : { cost, size: b.size };
  return { cost, size: b.size === undefined ? a.size : union(a.size, b.size) };
}
