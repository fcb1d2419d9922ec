import { malformed } from "./json-bytes.ts";
import type { ObjectSpan } from "./object-span.ts";

/**
 * Returns the text of an object without its managedFields, for JSON.parse.
 *
 * @param bytes the scanned bytes
 */
export function textOf(bytes: Uint8Array, span: ObjectSpan): string {
  const buffer = bufferOf(bytes);
  const { from, to, cutFrom, cutTo } = span;
  if (cutFrom === cutTo) return buffer.toString("utf8", from, to);
  return buffer.toString("utf8", from, cutFrom) + buffer.toString("utf8", cutTo, to);
}

/**
 * Returns the value of the string at `at`; "" for null, as Go decodes it.
 *
 * @param end the result of skipText: negative if the string contains escapes, or the value is not a string
 * @param what names the value in the error
 */
export function stringOf(bytes: Buffer, at: number, end: number, what: string): string {
  if (end > 0) return bytes.toString("utf8", at + 1, end - 1);
  const value = parse(bytes, at, -end);
  if (typeof value === "string") return value;
  if (value === null) return "";
  throw malformed(bytes, at, -end, `a string as ${what}`);
}

/**
 * Parses a small, rare value. @throws SyntaxError with the offset in `bytes`; JSON.parse counts from the
 * value
 */
export function parse(bytes: Buffer, from: number, to: number): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", from, to));
  } catch (error) {
    throw malformed(bytes, from, to, `a value (${error instanceof Error ? error.message : error})`);
  }
}

/** Returns the same bytes with the methods of a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
