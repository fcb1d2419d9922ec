import { parseQuantity } from "@operator-path/client";
import type { Schema } from "./schema.ts";

/** Returns whether two values that are neither objects nor lists mean the same, however they are written. */
export function isSameValue(a: unknown, b: unknown, { type }: Schema): boolean {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || a === undefined || b === undefined) return false;
  if (type === "quantity") return isSameBy(amountOf, String(a), String(b));
  if (typeof a !== "string" || typeof b !== "string") return false;
  if (type === "bytes") return isSameBy((text) => Buffer.from(text, "base64").toString("base64"), a, b);
  return type === "time" && isSameBy((text) => instantOf(text), a, b);
}

function amountOf(text: string): bigint {
  return parseQuantity(text).nano;
}

/** To the microsecond, as metav1.MicroTime. */
function instantOf(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, ""));
  if (Number.isNaN(seconds)) throw new RangeError(`${text} is not a time`);
  return `${seconds} ${fraction.padEnd(6, "0").slice(0, 6)}`;
}

/** An unreadable value equals no other. The server reports what is wrong with it. */
function isSameBy(read: (text: string) => unknown, a: string, b: string): boolean {
  try {
    return read(a) === read(b);
  } catch {
    return false;
  }
}
