import { malformed } from "./json-bytes.ts";
import type { ObjectSpan } from "./object-span.ts";

/**
 * The text of an object without its managedFields: what is to be given to JSON.parse.
 *
 * @param bytes what was scanned
 */
export function textOf(bytes: Uint8Array, span: ObjectSpan): string {
  const buffer = bufferOf(bytes);
  const { from, to, cutFrom, cutTo } = span;
  if (cutFrom === cutTo) return buffer.toString("utf8", from, to);
  return buffer.toString("utf8", from, cutFrom) + buffer.toString("utf8", cutTo, to);
}

/**
 * The value of a string that begins at `at`; "" for null, which Go reads as that.
 *
 * @param end what skipText returned for it: negative, if it holds escapes or is no string
 * @param what is read, for the error
 */
export function stringOf(bytes: Buffer, at: number, end: number, what: string): string {
  if (end > 0) return bytes.toString("utf8", at + 1, end - 1);
  const value = parse(bytes, at, -end);
  if (typeof value === "string") return value;
  if (value === null) return "";
  throw malformed(bytes, at, -end, `a string as ${what}`);
}

/** What is small and seldom is parsed. @throws SyntaxError that says where, which JSON.parse knows of its text only */
export function parse(bytes: Buffer, from: number, to: number): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", from, to));
  } catch (error) {
    throw malformed(bytes, from, to, `a value (${error instanceof Error ? error.message : error})`);
  }
}

/** The same bytes with the methods of a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
