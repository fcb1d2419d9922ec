/**
 * Steps over JSON (RFC 8259) as bytes without building values. Each function takes a start offset and the end
 * of the text, and returns the offset of the next token. It validates only what it needs to find the end of a
 * value: it separates strings from the rest and counts brackets. Nothing here is recursive, so the stack does
 * not limit the depth.
 */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;

/** Returns the offset of the first byte that is not white space, or `to`. */
export function skipSpace(bytes: Buffer, at: number, to: number): number {
  let next = at;
  while (next < to && isSpace(bytes[next])) next++;
  return next;
}

/** Returns the offset after the last byte that is not white space, or `from`. */
export function trimSpace(bytes: Buffer, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(bytes[end - 1])) end--;
  return end;
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Skips white space and one given byte. @throws SyntaxError if another byte follows */
export function skipByte(bytes: Buffer, at: number, to: number, byte: number): number {
  const next = skipSpace(bytes, at, to);
  if (next >= to || bytes[next] !== byte) throw malformed(bytes, next, to, `'${String.fromCharCode(byte)}'`);
  return next + 1;
}

/**
 * Bytes of a string that are compared one by one. Most strings are shorter, and for those a search costs
 * more.
 */
const near = 96;

/**
 * Returns the offset after the closing quote; `at` is after the opening one. @throws SyntaxError if the
 * string has no end
 */
export function skipString(bytes: Buffer, at: number, to: number): number {
  const limit = Math.min(at + near, to) - 3;
  let next = at;
  // Four at a time, with one comparison of the limit: most of a scan's time is spent here.
  while (next < limit) {
    const first = bytes[next];
    if (first === quote) return next + 1;
    if (first === backslash) {
      next += 2;
      continue;
    }
    const second = bytes[next + 1];
    if (second === quote) return next + 2;
    if (second === backslash) {
      next += 3;
      continue;
    }
    const third = bytes[next + 2];
    if (third === quote) return next + 3;
    if (third === backslash) {
      next += 4;
      continue;
    }
    const fourth = bytes[next + 3];
    if (fourth === quote) return next + 4;
    next += fourth === backslash ? 5 : 4;
  }
  return skipLongString(bytes, next, to);
}

/** Does the same for the rest of a string; `at` must not be inside an escape. */
function skipLongString(bytes: Buffer, at: number, to: number): number {
  let next = at;
  for (;;) {
    const end = next < to ? bytes.indexOf(quote, next) : -1;
    if (end < 0 || end >= to) throw malformed(bytes, to, to, "the end of a string");
    let escapes = end;
    while (escapes > next && bytes[escapes - 1] === backslash) escapes--;
    if ((end - escapes) % 2 === 0) return end + 1;
    next = end + 1;
  }
}

/**
 * Returns the offset after the value at `at`, which must not start with white space. @throws SyntaxError if
 * there is no value, or no end
 */
export function skipValue(bytes: Buffer, at: number, to: number): number {
  const byte = at < to ? bytes[at] : 0;
  if (byte === quote) return skipString(bytes, at + 1, to);
  if (byte === openBrace || byte === openBracket) return skipNested(bytes, at, to);
  let next = at;
  while (next < to && isScalar(bytes[next] as number)) next++;
  if (next === at) throw malformed(bytes, at, to, "a value");
  return next;
}

/**
 * Returns the offset after a null. @throws SyntaxError if something else follows; the message names
 * `expected` or null
 */
export function skipNull(bytes: Buffer, at: number, to: number, expected: string): number {
  const end = at + 4;
  if (end > to || bytes.toString("latin1", at, end) !== "null")
    throw malformed(bytes, at, to, `${expected} or null`);
  return end;
}

/** Bytes of numbers, true, false and null. */
function isScalar(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45
  );
}

/** How each byte outside of a string changes the depth. A quote starts a string. */
const depthChange = new Int8Array(256);
const string = 2;
depthChange[quote] = string;
depthChange[openBrace] = depthChange[openBracket] = 1;
depthChange[closeBrace] = depthChange[closeBracket] = -1;

function skipNested(bytes: Buffer, at: number, to: number): number {
  let depth = 0;
  let next = at;
  while (next < to) {
    const change = depthChange[bytes[next++] as number] as number;
    if (change === 0) continue;
    if (change === string) next = skipString(bytes, next, to);
    else {
      depth += change;
      if (depth === 0) return next;
    }
  }
  throw malformed(bytes, to, to, bytes[at] === openBrace ? "the end of an object" : "the end of an array");
}

/** Returns whether `expected` starts at `at`. */
export function startsWith(bytes: Buffer, at: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) {
    if (bytes[at + i] !== expected[i]) return false;
  }
  return true;
}

/** Returns the error for an unexpected byte. Offsets count from the start of `bytes`. */
export function malformed(bytes: Buffer, at: number, to: number, expected: string): SyntaxError {
  if (at >= to) return new SyntaxError(`malformed JSON: it ends at byte ${to}, expected ${expected}`);
  const found = JSON.stringify(Buffer.from(bytes.subarray(at, Math.min(to, at + 20))).toString("latin1"));
  return new SyntaxError(`malformed JSON at byte ${at}: expected ${expected}, found ${found}`);
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
