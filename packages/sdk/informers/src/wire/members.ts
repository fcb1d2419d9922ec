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
} from "./json-bytes.ts";
import { stringOf } from "./text.ts";

/*
 * The members of an object, one after the other. Each step first tries what is nearly always there: JSON is seldom
 * sent with white space.
 *
 *   let next = firstMember(bytes, at, to);
 *   while (bytes[next] !== closeBrace) {
 *     const name = skipName(bytes, next, to);
 *     const value = memberValue(bytes, name, to);
 *     … memberNumber(names, bytes, next, name) …
 *     next = nextMember(bytes, skipValue(bytes, value, to), to);
 *   }
 */

/** At the first member's name, or at the brace that closes the object which is at `at`. */
export function firstMember(bytes: Buffer, at: number, to: number): number {
  const next = skipSpace(bytes, skipByte(bytes, at, to, openBrace), to);
  if (next < to && (bytes[next] === quote || bytes[next] === closeBrace)) return next;
  throw malformed(bytes, next, to, "a member's name or '}'");
}

/** At the next member's name, or at the brace that closes the object. `at` is behind a value. */
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
 * Behind a string that begins at `at`, quotes included; as a negative number, if it holds escapes, so that its bytes are
 * not its characters.
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

/** The same for a value that is to be a string; negative, too, if it is none. */
export function skipText(bytes: Buffer, at: number, to: number): number {
  return bytes[at] === quote ? skipName(bytes, at, to) : -skipValue(bytes, at, to);
}

/** At the value of a member. `name` is what skipName returned. */
export function memberValue(bytes: Buffer, name: number, to: number): number {
  if (name > 0 && name + 1 < to && bytes[name] === colon && (bytes[name + 1] as number) > 0x20)
    return name + 1;
  const value = skipSpace(bytes, skipByte(bytes, Math.abs(name), to, colon), to);
  if (value >= to) throw malformed(bytes, value, to, "a value");
  return value;
}

/** The names of the members that a scan asks for, by their length: no two have the same. */
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
 * Which of the names a member has: its length, or 0 if it is none of them.
 *
 * @param at at the quote of the member's name
 * @param name what skipName returned for it
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
