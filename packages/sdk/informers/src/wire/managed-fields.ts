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
 * Returns the offset after the value of managedFields without reading most of it. It is a third of many
 * objects.
 *
 * The array starts at `at`. The first `]` ends it if two conditions hold: no other `[` comes before that `]`,
 * and the `]` is not inside a string. It is not inside a string if `,"x` or `},"x` follows, where x is
 * neither punctuation nor white space. Inside a string, that quote would end the string, and no x could
 * follow. In managedFields, arrays occur only inside strings, so this nearly always decides. Otherwise the
 * value is skipped byte by byte.
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
