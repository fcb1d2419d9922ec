import type { Status } from "./generated/kubernetes-types.ts";
import type { KubeObject } from "./resource.ts";

/**
 * One line of a watch. The object of a `BOOKMARK` has only a resourceVersion. `ERROR` carries a Status, for
 * example 410 when the resourceVersion is too old; the server then closes the stream.
 */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | { type: "ADDED" | "MODIFIED" | "DELETED"; object: T }
  | { type: "BOOKMARK"; object: KubeObject }
  | { type: "ERROR"; object: Status };

const types = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]);

/**
 * Parses one line of a watch.
 *
 * @throws SyntaxError when the line is not JSON or not a watch event
 */
export function decodeWatchEvent<T extends KubeObject>(line: Uint8Array): WatchEvent<T> {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8");
  const event: unknown = JSON.parse(text);
  if (
    event &&
    typeof event === "object" &&
    "type" in event &&
    types.has(String(event.type)) &&
    "object" in event &&
    event.object
  ) {
    return event as WatchEvent<T>;
  }
  throw new SyntaxError(`not a watch event: ${text.slice(0, 100)}`);
}
