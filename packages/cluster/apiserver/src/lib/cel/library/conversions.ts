import { fail, global, type Library, member, type Overload, sizeOf, traversal } from "../functions.ts";
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
  parameter,
  runtimeName,
  string,
  timestamp,
  typeOf,
  uint,
} from "../types.ts";
import {
  CelDuration,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  isInt64,
  isUint64,
  typeNameOf,
} from "../values.ts";
import { formatDouble } from "./format-text.ts";
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from "./time.ts";

const A = parameter("A");
const B = parameter("B");

/** Conversions, each named after its result type, and the functions `type` and `size`. */
export const conversions: Library = {
  type: [global([A], typeOf(A), (value: CelValue) => new CelTypeValue(typeNameOf(value)))],
  dyn: [global([A], dyn, (value: CelValue) => value)],
  bool: [same(bool), global([string], bool, toBool)],
  bytes: [same(bytes), global([string], bytes, (text: string) => Buffer.from(text, "utf8"), bySize)],
  double: [
    same(double),
    global([int], double, Number),
    global([string], double, toDouble),
    global([uint], double, ({ value }: CelUint) => Number(value)),
  ],
  duration: [
    same(duration),
    global([int], duration, (nanoseconds: bigint) => new CelDuration(nanoseconds)),
    global([string], duration, (text: string) => parseDuration(text) ?? noConversion("string", duration)),
  ],
  int: [
    same(int),
    global([double], int, (value: number) =>
      fitting(truncated(value, "integer overflow"), "integer overflow"),
    ),
    global([duration], int, ({ nanoseconds }: CelDuration) => nanoseconds),
    global([string], int, (text: string) => parseInteger(text, int)),
    global([timestamp], int, ({ nanoseconds }: CelTimestamp) => floorDivide(nanoseconds, 1_000_000_000n)),
    global([uint], int, ({ value }: CelUint) => fitting(value, "integer overflow")),
  ],
  string: [
    same(string),
    global([bool], string, String),
    global([bytes], string, toText, bySize),
    global([double], string, formatDouble),
    global([duration], string, formatDuration),
    global([int], string, String),
    global([timestamp], string, formatTimestamp),
    global([uint], string, ({ value }: CelUint) => String(value)),
  ],
  timestamp: [
    same(timestamp),
    global([int], timestamp, (seconds: bigint) => new CelTimestamp(seconds * 1_000_000_000n)),
    global([string], timestamp, (text: string) => parseTimestamp(text) ?? noConversion("string", timestamp)),
  ],
  uint: [
    same(uint),
    global([double], uint, (value: number) =>
      unsigned(truncated(value, "unsigned integer overflow"), "unsigned integer overflow"),
    ),
    global([int], uint, (value: bigint) => unsigned(value, "unsigned integer overflow")),
    global([string], uint, (text: string) => unsigned(parseInteger(text, uint), "type conversion error")),
  ],
  size: [bytes, listOf(A), mapOf(A, B), string].flatMap((type) => [
    global([type], int, (value: CelValue) => BigInt(sizeOf(value))),
    member([type], int, (value: CelValue) => BigInt(sizeOf(value))),
  ]),
};

function same(type: CelType): Overload {
  return global([type], type, (value: CelValue) => value);
}

function bySize([value]: readonly CelValue[]): number {
  return traversal(sizeOf(value as CelValue));
}

function noConversion(from: string, to: CelType): never {
  return fail(`type conversion error from '${from}' to '${runtimeName(to)}'`);
}

const trueTexts = ["true", "t", "True", "TRUE", "T", "1"];
const falseTexts = ["false", "f", "False", "FALSE", "F", "0"];

function toBool(text: string): boolean {
  if (trueTexts.includes(text)) return true;
  return falseTexts.includes(text) ? false : noConversion("string", bool);
}

function toDouble(text: string): number {
  const value = Number(text);
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const isNumber = text !== "" && !/[\s_]|^[+-]?0[xob]/i.test(text) && !Number.isNaN(value);
  return isNumber ? value : noConversion("string", double);
}

function parseInteger(text: string, to: CelType): bigint {
  if (!/^[+-]?\d+$/.test(text) || (to === uint && /^[+-]/.test(text))) return noConversion("string", to);
  const value = BigInt(text.replace(/^\+/, ""));
  return (to === uint ? isUint64(value) : isInt64(value)) ? value : noConversion("string", to);
}

function truncated(value: number, message: string): bigint {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : fail(message);
}

function fitting(value: bigint, message: string): bigint {
  return isInt64(value) ? value : fail(message);
}

function unsigned(value: bigint, message: string): CelUint {
  return isUint64(value) ? new CelUint(value) : fail(message);
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function toText(value: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return fail("invalid UTF-8 in bytes, cannot convert to string");
  }
}
