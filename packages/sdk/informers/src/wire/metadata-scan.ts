import { closeBrace, comma, skipSpace, skipValue } from "./json-bytes.ts";
import { keyText } from "./key-text.ts";
import { skipManagedFields } from "./managed-fields.ts";
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
import { stringOf } from "./text.ts";

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
