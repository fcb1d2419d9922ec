import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBracket,
  quote,
  skipValue,
} from "./json-bytes.ts";

/**
 * Behind the value of managedFields, which is a third of many objects, without looking at most of it.
 *
 * The first `]` ends the array that begins at `at`, if no other `[` comes between and the `]` is not within a string.
 * It is not, if it is followed by `,"x` or `},"x`, where x is neither punctuation nor white space: were it within a
 * string, then that quote would end the string, and no x could follow. Arrays occur in managedFields within strings
 * only, so this nearly always decides; where it does not, the value is stepped over byte by byte.
 */
export function skipManagedFields(bytes: Buffer, at: number, to: number): number {
  if (bytes[at] === openBracket) {
    const end = bytes.indexOf(closeBracket, at + 1);
    if (end >= 0 && isOutsideString(bytes, end + 1, to)) {
      const nested = bytes.indexOf(openBracket, at + 1);
      if (nested < 0 || nested > end) return end + 1;
    }
  }
  return skipValue(bytes, at, to);
}

function isOutsideString(bytes: Buffer, at: number, to: number): boolean {
  const next = bytes[at] === closeBrace ? at + 1 : at;
  if (next + 2 >= to || bytes[next] !== comma || bytes[next + 1] !== quote) return false;
  const byte = bytes[next + 2];
  return byte !== colon && byte !== comma && byte !== closeBrace && byte !== closeBracket && !isSpace(byte);
}
