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
  const counts = new Map<string, number>();
  let heartbeats = 0;
  for (const entry of entries.toReversed()) {
    if (entry.heartbeat) heartbeats++;
    if (shown.length === longest || (entry.heartbeat && !withHeartbeats)) continue;
    if (!isEarlierCount(entry, counts)) shown.push(entry);
  }
  return { shown, heartbeats };
}

/**
 * Reports whether a newer entry is the same Event with a higher count.
 *
 * @param counts the counts so far, by Event
 */
function isEarlierCount(
  { type, uid, by, text, count = 1 }: TimelineEntry,
  counts: Map<string, number>,
): boolean {
  if (type !== "event") return false;
  const event = [uid, by, text].join("\n");
  const newer = counts.get(event) ?? 0;
  counts.set(event, count);
  return count < newer;
}
