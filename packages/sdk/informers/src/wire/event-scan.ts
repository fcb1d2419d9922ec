import {
  bufferOf,
  closeBrace,
  malformed,
  parse,
  skipValue,
  startsWith,
  stringOf,
  trimSpace,
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
import { scanMembers } from "./object-scan.ts";
import { emptyObjectSpan, type ObjectSpan } from "./object-span.ts";

/** One line of a watch. `from` and `to` delimit the object of the event; for an ERROR, that is a Status. */
export interface EventSpan extends ObjectSpan {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** True for the bookmark after the initial objects (KEP-3157: k8s.io/initial-events-end). */
  initialEventsEnd: boolean;
}

export function emptyEventSpan(): EventSpan {
  return { ...emptyObjectSpan(), type: "ERROR", initialEventsEnd: false };
}

const names = memberNames("type", "object");
const type = "type".length;
const object = "object".length;

/**
 * Scans a watch event up to the end of its object's metadata. After that it only checks that the braces
 * close. Malformed JSON after the metadata is therefore found when the object is parsed. If another member
 * follows the object, the span may extend to the end of that member; `parseObject` handles this.
 *
 * Duplicate members are legal JSON, but no API server sends them. Of two `metadata` members this takes the
 * first, while JSON.parse and a list take the last. Of two `managedFields` one stays.
 *
 * @param into is filled and returned; only the strings are allocated
 * @throws SyntaxError with the offset and what was expected there
 */
export function scanEvent(line: Uint8Array, into: EventSpan = emptyEventSpan()): EventSpan {
  const bytes = bufferOf(line);
  const end = trimSpace(bytes, 0, bytes.length);
  let hasType = false;
  let hasObject = false;
  let next = firstMember(bytes, 0, end);
  while (bytes[next] !== closeBrace) {
    const nameEnd = skipName(bytes, next, end);
    const value = memberValue(bytes, nameEnd, end);
    const member = memberNumber(names, bytes, next, nameEnd);
    let valueEnd: number;
    if (member === object) {
      hasObject = true;
      const behind = scanMembers(bytes, value, end, into, !hasType);
      if (behind < 0 && isLastMember(bytes, end, into)) {
        next = end - 1;
        break;
      }
      valueEnd = into.to = behind < 0 ? skipValue(bytes, value, end) : behind;
    } else if (member === type) {
      hasType = true;
      const typeEnd = skipText(bytes, value, end);
      into.type = eventType(bytes, value, typeEnd);
      valueEnd = Math.abs(typeEnd);
    } else valueEnd = skipValue(bytes, value, end);
    next = nextMember(bytes, valueEnd, end);
  }
  if (next + 1 < end) throw malformed(bytes, next + 1, end, "the end of the line");
  if (!hasType) throw malformed(bytes, next, end, "the event's type");
  if (!hasObject) throw malformed(bytes, next, end, "the event's object");
  into.initialEventsEnd = into.type === "BOOKMARK" && isInitialEventsEnd(bytes, into);
  return into;
}

/** The object is assumed to be the last member, as it always is, if the line ends with two braces. */
function isLastMember(bytes: Buffer, end: number, into: EventSpan): boolean {
  const objectEnd = trimSpace(bytes, into.metadataTo, end - 1);
  if (bytes[end - 1] !== closeBrace || bytes[objectEnd - 1] !== closeBrace) return false;
  into.to = objectEnd;
  return objectEnd > into.metadataTo;
}

function eventType(bytes: Buffer, at: number, end: number): EventSpan["type"] {
  for (const known of eventTypes) {
    if (end - at === known.bytes.length && startsWith(bytes, at, known.bytes)) return known.type;
  }
  const text = stringOf(bytes, at, end, "the event's type");
  const known = eventTypes.find(({ type }) => type === text);
  if (!known) throw malformed(bytes, at, Math.abs(end), "ADDED, MODIFIED, DELETED, BOOKMARK or ERROR");
  return known.type;
}

const eventTypes = (["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"] as const).map((type) => ({
  type,
  bytes: Buffer.from(`"${type}"`),
}));

/** Parses the metadata: that of a bookmark is small, and bookmarks are rare. */
function isInitialEventsEnd(bytes: Buffer, { metadataFrom, metadataTo }: EventSpan): boolean {
  if (metadataFrom < 0) return false;
  const metadata = parse(bytes, metadataFrom, metadataTo) as {
    annotations?: Record<string, unknown> | null;
  };
  return metadata.annotations?.["k8s.io/initial-events-end"] === "true";
}
