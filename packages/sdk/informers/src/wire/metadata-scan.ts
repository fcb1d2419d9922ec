import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBracket,
  quote,
  skipSpace,
  skipValue,
  stringOf,
} from "./json-bytes.ts";
import {
  firstMember,
  memberNames,
  memberNumber,
  memberValue,
  nextMember,
  skipName,
  skipText,
} from "./members.ts";
import type { ObjectSpan } from "./object-span.ts";

const names = memberNames("name", "namespace", "uid", "resourceVersion", "managedFields");
const name = "name".length;
const namespace = "namespace".length;
const uid = "uid".length;
const resourceVersion = "resourceVersion".length;
const managedFields = "managedFields".length;

/** Scans the metadata at `at` into `span`. */
export function scanMetadata(bytes: Buffer, at: number, to: number, span: ObjectSpan): void {
  let nameAt = -1;
  let nameEnd = 0;
  let namespaceAt = -1;
  let namespaceEnd = 0;
  // The offset after the previous value. The cut of a last member starts there.
  let last = -1;
  let next = firstMember(bytes, at, to);
  while (bytes[next] !== closeBrace) {
    const memberEnd = skipName(bytes, next, to);
    const value = memberValue(bytes, memberEnd, to);
    let end: number;
    switch (memberNumber(names, bytes, next, memberEnd)) {
      case name:
        end = nameEnd = skipText(bytes, value, to);
        nameAt = value;
        break;
      case namespace:
        end = namespaceEnd = skipText(bytes, value, to);
        namespaceAt = value;
        break;
      case uid:
        end = skipText(bytes, value, to);
        span.uid = stringOf(bytes, value, end, "metadata.uid");
        break;
      case resourceVersion:
        end = skipText(bytes, value, to);
        span.resourceVersion = stringOf(bytes, value, end, "metadata.resourceVersion");
        break;
      case managedFields:
        end = skipManagedFields(bytes, value, to);
        cutMember(bytes, span, last, next, end, to);
        break;
      default:
        end = skipValue(bytes, value, to);
    }
    last = end < 0 ? -end : end;
    next = nextMember(bytes, last, to);
  }
  span.metadataFrom = at;
  span.metadataTo = next + 1;
  span.key = keyText(bytes, namespaceAt, namespaceEnd, nameAt, nameEnd);
}

/**
 * Cuts the member together with the comma after it. A last member is cut with the comma before it, if there
 * is one.
 */
function cutMember(bytes: Buffer, span: ObjectSpan, last: number, at: number, end: number, to: number): void {
  const after = skipSpace(bytes, end, to);
  if (bytes[after] === comma) {
    span.cutFrom = at;
    span.cutTo = after + 1;
  } else {
    span.cutFrom = last < 0 ? at : last;
    span.cutTo = end;
  }
}

/** Names have at most 253 bytes, namespaces 63. */
const scratch = Buffer.alloc(512);
const slash = 0x2f;

/**
 * Returns "namespace/name", or "name" if there is no namespace. Builds the string in one piece: V8 would
 * flatten a concatenated string again in every map lookup.
 *
 * @param nameAt offset of the name, -1 if it is missing; the same for the namespace
 * @param nameEnd the result of skipText for the name; the same for the namespace
 */
function keyText(
  bytes: Buffer,
  namespaceAt: number,
  namespaceEnd: number,
  nameAt: number,
  nameEnd: number,
): string {
  const namespaceLength = namespaceEnd - namespaceAt - 2;
  const length = namespaceLength + 1 + nameEnd - nameAt - 2;
  if (namespaceEnd > 0 && nameEnd > 0 && namespaceLength > 0 && length <= scratch.length) {
    let to = 0;
    for (let at = namespaceAt + 1; at < namespaceEnd - 1; at++) scratch[to++] = bytes[at] as number;
    scratch[to++] = slash;
    for (let at = nameAt + 1; at < nameEnd - 1; at++) scratch[to++] = bytes[at] as number;
    return scratch.toString("utf8", 0, to);
  }
  const name = nameAt < 0 ? "" : stringOf(bytes, nameAt, nameEnd, "metadata.name");
  const namespace = namespaceAt < 0 ? "" : stringOf(bytes, namespaceAt, namespaceEnd, "metadata.namespace");
  return namespace === "" ? name : `${namespace}/${name}`;
}

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
function skipManagedFields(bytes: Buffer, at: number, to: number): number {
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
