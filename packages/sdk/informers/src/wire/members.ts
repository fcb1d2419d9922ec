import {
  backslash,
  closeBrace,
  colon,
  comma,
  malformed,
  openBrace,
  quote,
  skipByte,
  skipSpace,
  skipString,
  skipValue,
  startsWith,
  stringOf,
} from "./json-bytes.ts";

/*
 * Iterates over the members of an object. Each step first tries the common case: JSON is rarely sent with
 * white space.
 *
 *   let next = firstMember(bytes, at, to);
 *   while (bytes[next] !== closeBrace) {
 *     const name = skipName(bytes, next, to);
 *     const value = memberValue(bytes, name, to);
 *     … memberNumber(names, bytes, next, name) …
 *     next = nextMember(bytes, skipValue(bytes, value, to), to);
 *   }
 */

/** Returns the offset of the first member's name in the object at `at`, or of its closing brace. */
export function firstMember(bytes: Buffer, at: number, to: number): number {
  const next = skipSpace(bytes, skipByte(bytes, at, to, openBrace), to);
  if (next < to && (bytes[next] === quote || bytes[next] === closeBrace)) return next;
  throw malformed(bytes, next, to, "a member's name or '}'");
}

/** Returns the offset of the next member's name, or of the closing brace. `at` is after a value. */
export function nextMember(bytes: Buffer, at: number, to: number): number {
  if (at + 1 < to && bytes[at] === comma && bytes[at + 1] === quote) return at + 1;
  return nextMemberAnyhow(bytes, at, to);
}

function nextMemberAnyhow(bytes: Buffer, at: number, to: number): number {
  const end = skipSpace(bytes, at, to);
  if (end < to && bytes[end] === closeBrace) return end;
  if (end >= to || bytes[end] !== comma) throw malformed(bytes, end, to, "',' or '}'");
  const next = skipSpace(bytes, end + 1, to);
  if (next >= to || bytes[next] !== quote) throw malformed(bytes, next, to, "a member's name");
  return next;
}

/**
 * Returns the offset after the string at `at`, quotes included. The result is negative if the string contains
 * escapes, so that its bytes differ from its characters.
 */
export function skipName(bytes: Buffer, at: number, to: number): number {
  let next = at + 1;
  while (next < to) {
    const byte = bytes[next++];
    if (byte === quote) return next;
    if (byte === backslash) break;
  }
  return -skipString(bytes, at + 1, to);
}

/** Does the same for a value that should be a string. The result is negative if it is not one. */
export function skipText(bytes: Buffer, at: number, to: number): number {
  return bytes[at] === quote ? skipName(bytes, at, to) : -skipValue(bytes, at, to);
}

/** Returns the offset of a member's value. `name` is the result of skipName. */
export function memberValue(bytes: Buffer, name: number, to: number): number {
  if (name > 0 && name + 1 < to && bytes[name] === colon && (bytes[name + 1] as number) > 0x20)
    return name + 1;
  const value = skipSpace(bytes, skipByte(bytes, Math.abs(name), to, colon), to);
  if (value >= to) throw malformed(bytes, value, to, "a value");
  return value;
}

/** The member names that a scan looks for, indexed by length. No two have the same length. */
export type MemberNames = readonly (Uint8Array | undefined)[];

export function memberNames(...names: string[]): MemberNames {
  const byLength: (Uint8Array | undefined)[] = [];
  for (const name of names) {
    while (byLength.length <= name.length) byLength.push(undefined);
    byLength[name.length] = Buffer.from(name, "latin1");
  }
  return byLength;
}

/**
 * Returns the length of the matching name, or 0 if no name matches.
 *
 * @param at offset of the quote before the member's name
 * @param name the result of skipName for it
 */
export function memberNumber(names: MemberNames, bytes: Buffer, at: number, name: number): number {
  if (name < 0) return escapedMember(names, bytes, at, name);
  const length = name - at - 2;
  const known = length < names.length ? names[length] : undefined;
  if (known === undefined) return 0;
  return startsWith(bytes, at + 1, known) ? length : 0;
}

function escapedMember(names: MemberNames, bytes: Buffer, at: number, name: number): number {
  const text = stringOf(bytes, at, name, "a member's name");
  const known = names[text.length];
  return known !== undefined && Buffer.from(text).equals(known) ? text.length : 0;
}
