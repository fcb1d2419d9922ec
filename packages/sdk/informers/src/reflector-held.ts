import type { ReflectorSink } from "./reflector-sink.ts";
import { isOlder } from "./resource-version.ts";
import type { EventSpan } from "./wire/event-scan.ts";

/** What a stream of initial objects brought, and the sink is not to have yet. */
export interface HeldBack {
  /** Whether it keeps this object to itself. */
  holds(line: Uint8Array, event: EventSpan): boolean;
  /** The stream is believed: all that is held goes into the sink. */
  release(): void;
}

/**
 * A stream tells its version at its end only. One from a server that lags behind brings objects that were deleted
 * since, and they would be told of as new: so what the sink does not have is held back until then, unless it is newer
 * than all that is `known`. That is none of a server that does not lag, and so costs nothing; where versions are no
 * numbers, it is all that is new. With nothing known (""), nothing is held back.
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
      // Bytes and span are the reader's, which goes on with them.
      held.set(event.key, { line: line.slice(), event: { ...event } });
      return true;
    },
    release() {
      for (const { line, event } of held.values()) sink.put(line, event);
      held.clear();
    },
  };
}
