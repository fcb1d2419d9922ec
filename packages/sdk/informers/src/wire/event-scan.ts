import { closeBrace, malformed, skipValue, startsWith, trimSpace } from "./json-bytes.ts";
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
import { bufferOf, parse, stringOf } from "./text.ts";

/** One line of a watch. `from` and `to` are the object of the event: of an ERROR, a Status. */
export interface EventSpan extends ObjectSpan {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** The bookmark behind the objects that there were at the beginning (KEP-3157: k8s.io/initial-events-end). */
  initialEventsEnd: boolean;
}

export function emptyEventSpan(): EventSpan {
  return { ...emptyObjectSpan(), type: "ERROR", initialEventsEnd: false };
}

const names = memberNames("type", "object");
const type = "type".length;
const object = "object".length;

/**
 * Reads an event as far as the end of its object's metadata: of the rest, no more than that it is closed. So an event
 * that is malformed behind its metadata is found when its object is parsed. Where another member follows the object, its
 * span may reach to the end of that: `parseObject` knows. Of a `metadata` that is there twice, or of `managedFields` twice
 * in it, which is legal JSON that no API server sends, the first `metadata` counts here, where JSON.parse and a list take
 * the last, and one `managedFields` stays.
 *
 * @param into is filled and returned: nothing is allocated but the strings
 * @throws SyntaxError naming the offset and what was expected there
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

/** The object is taken for the last member, as it always is, if the line ends with two braces. */
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

/** A bookmark's metadata is small, and there are few: it is parsed. */
function isInitialEventsEnd(bytes: Buffer, { metadataFrom, metadataTo }: EventSpan): boolean {
  if (metadataFrom < 0) return false;
  const metadata = parse(bytes, metadataFrom, metadataTo) as {
    annotations?: Record<string, unknown> | null;
  };
  return metadata.annotations?.["k8s.io/initial-events-end"] === "true";
}
