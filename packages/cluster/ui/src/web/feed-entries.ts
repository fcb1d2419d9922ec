import type { TimelineEntry } from "../cluster/wire.ts";

export interface FeedEntries {
  /** Newest first. */
  readonly shown: readonly TimelineEntry[];
  /** The number of heartbeats among the entries. */
  readonly heartbeats: number;
}

/** A long list costs in each frame. */
const longest = 200;

/**
 * Returns the newest entries for a list. Heartbeats would push everything else out of it, and so would an Event that
 * occurs again and again: the list has it once, with its latest count.
 *
 * @param entries oldest first
 * @param withHeartbeats whether heartbeats are shown
 */
export function feedEntries(entries: readonly TimelineEntry[], withHeartbeats: boolean): FeedEntries {
  const shown: TimelineEntry[] = [];
  /** Of each Event, the count in the next newer entry. */
  const counts = new Map<string, number>();
  let heartbeats = 0;
  for (const entry of entries.toReversed()) {
    if (entry.heartbeat) heartbeats++;
    if (shown.length === longest || (entry.heartbeat && !withHeartbeats)) continue;
    if (entry.type === "event") {
      const event = [entry.uid, entry.by, entry.text].join("\n");
      const { count = 1 } = entry;
      const newer = counts.get(event) ?? 0;
      counts.set(event, count);
      if (count < newer) continue;
    }
    shown.push(entry);
  }
  return { shown, heartbeats };
}
