import { closeBrace, malformed, openBrace, skipNull, skipSpace, skipValue, trimSpace } from "./json-bytes.ts";
import { firstMember, memberNames, memberNumber, memberValue, nextMember, skipName } from "./members.ts";
import { scanMetadata } from "./metadata-scan.ts";
import { emptyObjectSpan, type ObjectSpan } from "./object-span.ts";
import { bufferOf } from "./text.ts";

/**
 * Reads the metadata of the object in bytes [from, to), wherever it is in it: built-in kinds have it first, custom
 * resources between `kind` and `spec`. What comes behind it is not looked at, but that the object is closed.
 *
 * @param into is filled and returned: nothing is allocated but the strings
 * @throws SyntaxError naming the offset and what was expected there
 */
export function scanObject(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: ObjectSpan = emptyObjectSpan(),
): ObjectSpan {
  const buffer = bufferOf(bytes);
  const end = trimSpace(buffer, from, to);
  const behind = scanMembers(buffer, from, end, into, false);
  if (behind < 0) {
    if (end <= into.metadataTo || buffer[end - 1] !== closeBrace) throw malformed(buffer, end, end, "'}'");
  } else if (behind < end) throw malformed(buffer, behind, end, "the end of the text");
  into.to = end;
  return into;
}

const names = memberNames("metadata");
const metadata = "metadata".length;

/**
 * Reads an object that begins at `at` as far as the end of its metadata, or as a whole.
 *
 * @returns where the object ends; -1 when it was not read so far
 */
export function scanMembers(bytes: Buffer, at: number, to: number, into: ObjectSpan, whole: boolean): number {
  const from = skipSpace(bytes, at, to);
  into.from = from;
  into.key = into.uid = into.resourceVersion = "";
  into.metadataFrom = into.metadataTo = -1;
  into.cutFrom = into.cutTo = from;
  let next = firstMember(bytes, from, to);
  while (bytes[next] !== closeBrace) {
    const nameEnd = skipName(bytes, next, to);
    const value = memberValue(bytes, nameEnd, to);
    let end: number;
    if (memberNumber(names, bytes, next, nameEnd) !== metadata) end = skipValue(bytes, value, to);
    else if (bytes[value] !== openBrace) end = skipNull(bytes, value, to, "an object");
    else {
      scanMetadata(bytes, value, to, into);
      if (!whole) return -1;
      end = into.metadataTo;
    }
    next = nextMember(bytes, end, to);
  }
  return next + 1;
}
