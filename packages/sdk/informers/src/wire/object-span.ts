import { bufferOf } from "./json-bytes.ts";

/** What a scan reads from an object without parsing it. Offsets count from the start of the scanned bytes. */
export interface ObjectSpan {
  /** The object's bytes: [from, to). */
  from: number;
  to: number;
  /**
   * "namespace/name", or "name" for a cluster-scoped object; "" for an object without a name, such as a
   * bookmark.
   */
  key: string;
  uid: string;
  resourceVersion: string;
  /** Value of `metadata`: [metadataFrom, metadataTo); both are -1 if it is missing. */
  metadataFrom: number;
  metadataTo: number;
  /** The range to cut to remove managedFields; both are equal if there are none. */
  cutFrom: number;
  cutTo: number;
}

export function emptyObjectSpan(): ObjectSpan {
  return {
    from: 0,
    to: 0,
    key: "",
    uid: "",
    resourceVersion: "",
    metadataFrom: -1,
    metadataTo: -1,
    cutFrom: 0,
    cutTo: 0,
  };
}

/**
 * Returns the text of an object without its managedFields, for JSON.parse.
 *
 * @param bytes the scanned bytes
 */
export function textOf(bytes: Uint8Array, span: ObjectSpan): string {
  const buffer = bufferOf(bytes);
  const { from, to, cutFrom, cutTo } = span;
  if (cutFrom === cutTo) return buffer.toString("utf8", from, to);
  return buffer.toString("utf8", from, cutFrom) + buffer.toString("utf8", cutTo, to);
}

/**
 * Parses the text of a scanned object. `scanEvent` assumes that an event's object is its last member. If
 * another member follows, which no API server sends, the text extends beyond the object; only then is it
 * parsed a second time.
 *
 * @throws SyntaxError if the text does not start with an object
 */
export function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    try {
      return JSON.parse(`{"object":${text}}`).object;
    } catch {
      throw error;
    }
  }
}
