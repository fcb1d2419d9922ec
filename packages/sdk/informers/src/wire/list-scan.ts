import {
  bufferOf,
  closeBrace,
  closeBracket,
  comma,
  malformed,
  openBrace,
  openBracket,
  parse,
  skipByte,
  skipNull,
  skipSpace,
  skipValue,
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

/** What a scan reads from a list, or from one page, without parsing the items. */
export interface ListSpan {
  /** "" if missing. The same applies to the other strings. */
  resourceVersion: string;
  continue: string;
  remainingItemCount?: number;
  /** The list's own: "v1", "PodList". On the wire, items of built-in kinds have neither. */
  apiVersion: string;
  kind: string;
  /** The items in order. */
  items: ObjectSpan[];
}

const names = memberNames("metadata", "items", "apiVersion", "kind");
const metadata = "metadata".length;
const items = "items".length;
const apiVersion = "apiVersion".length;
const kind = "kind".length;

/**
 * Finds the items and the metadata of a list, and scans the metadata of each item, in one pass. Of the rest
 * of an item it only finds the end. Built-in kinds have the list's metadata first; custom resources have it
 * before or after the items.
 *
 * @throws SyntaxError with the offset and what was expected there
 */
export function scanList(bytes: Uint8Array): ListSpan {
  const scan = scanListInSteps(bytes);
  for (;;) {
    const { done, value } = scan.next();
    if (done) return value;
  }
}

/** Items between two steps of a scan, about 100 µs. */
const itemsInStep = 32;

/**
 * Does the same in steps, so that the caller can yield to the event loop. A list of all objects in one piece
 * takes hundreds of milliseconds.
 */
export function* scanListInSteps(bytes: Uint8Array): Generator<void, ListSpan> {
  const buffer = bufferOf(bytes);
  const to = trimSpace(buffer, 0, buffer.length);
  const list: ListSpan = { resourceVersion: "", continue: "", apiVersion: "", kind: "", items: [] };
  let next = firstMember(buffer, 0, to);
  while (buffer[next] !== closeBrace) {
    const nameEnd = skipName(buffer, next, to);
    const value = memberValue(buffer, nameEnd, to);
    let end: number;
    switch (memberNumber(names, buffer, next, nameEnd)) {
      case metadata:
        if (buffer[value] === openBrace) {
          end = skipValue(buffer, value, to);
          Object.assign(list, listMetadata(buffer, value, end));
        } else end = skipNull(buffer, value, to, "an object");
        break;
      case items:
        if (buffer[value] === openBracket) end = yield* scanItems(buffer, value, to, list.items);
        else end = skipNull(buffer, value, to, "an array");
        break;
      case apiVersion:
        end = skipText(buffer, value, to);
        list.apiVersion = stringOf(buffer, value, end, "apiVersion");
        break;
      case kind:
        end = skipText(buffer, value, to);
        list.kind = stringOf(buffer, value, end, "kind");
        break;
      default:
        end = skipValue(buffer, value, to);
    }
    next = nextMember(buffer, Math.abs(end), to);
  }
  if (next + 1 < to) throw malformed(buffer, next + 1, to, "the end of the list");
  return list;
}

function* scanItems(bytes: Buffer, at: number, to: number, items: ObjectSpan[]): Generator<void, number> {
  let next = skipSpace(bytes, skipByte(bytes, at, to, openBracket), to);
  if (next < to && bytes[next] === closeBracket) return next + 1;
  for (;;) {
    if (next >= to || bytes[next] !== openBrace) throw malformed(bytes, next, to, "an item");
    const item = emptyObjectSpan();
    item.to = scanMembers(bytes, next, to, item, true);
    items.push(item);
    if (items.length % itemsInStep === 0) yield;
    next = skipSpace(bytes, item.to, to);
    if (next < to && bytes[next] === closeBracket) return next + 1;
    next = skipSpace(bytes, skipByte(bytes, next, to, comma), to);
  }
}

/** Parses the list's metadata, which is small. */
function listMetadata(bytes: Buffer, from: number, to: number): Partial<ListSpan> {
  const metadata = parse(bytes, from, to) as Record<string, unknown>;
  const { resourceVersion, continue: token, remainingItemCount } = metadata;
  return {
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    continue: typeof token === "string" ? token : "",
    ...(typeof remainingItemCount === "number" && { remainingItemCount }),
  };
}
