import type { ReflectorSink } from "./reflector-sink.ts";
import { isOlder } from "./resource-version.ts";
import type { EventSpan } from "./wire/event-scan.ts";

/** Initial objects that the sink must not receive yet. */
export interface HeldBack {
  /** Buffers the object if it has to wait. Returns whether it did. */
  holds(line: Uint8Array, event: EventSpan): boolean;
  /** Puts all buffered objects into the sink. Call it once the stream has proved to be current. */
  release(): void;
}

/**
 * Returns a buffer for the initial objects of a stream.
 *
 * A stream reports its version only at its end. A server that lags behind may send objects that were deleted
 * since, and the sink would report them as added. So an object that the sink does not have waits until the
 * end of the stream, unless it is newer than `known`. Up-to-date servers never send one that has to wait. If
 * versions are not numbers, all objects that are new to the sink wait. If nothing is known (""), none waits.
 */
export function createHeldBack(sink: ReflectorSink, known: string): HeldBack {
  const held = new Map<string, { line: Uint8Array; event: EventSpan }>();
  return {
    holds(line, event) {
      if (known === "") return false;
      if (event.type === "DELETED" || isOlder(known, event.resourceVersion)) {
        held.delete(event.key);
        return false;
      }
      if (sink.has(event.key)) return false;
      // The reader reuses the bytes and the span.
      held.set(event.key, { line: line.slice(), event: { ...event } });
      return true;
    },
    release() {
      for (const { line, event } of held.values()) sink.put(line, event);
      held.clear();
    },
  };
}
