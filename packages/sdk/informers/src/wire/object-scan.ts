import {
  bufferOf,
  closeBrace,
  malformed,
  openBrace,
  skipNull,
  skipSpace,
  skipValue,
  trimSpace,
} from "./json-bytes.ts";
import { firstMember, memberNames, memberNumber, memberValue, nextMember, skipName } from "./members.ts";
import { scanMetadata } from "./metadata-scan.ts";
import { emptyObjectSpan, type ObjectSpan } from "./object-span.ts";

/**
 * Scans the metadata of the object in bytes [from, to). Built-in kinds have it first, custom resources
 * between `kind` and `spec`. Of the rest it only checks that the object is closed.
 *
 * @param into is filled and returned; only the strings are allocated
 * @throws SyntaxError with the offset and what was expected there
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
 * Scans the object at `at` to the end of its metadata, or completely if `whole` is set.
 *
 * @returns the offset after the object; -1 if the scan stopped after the metadata
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
