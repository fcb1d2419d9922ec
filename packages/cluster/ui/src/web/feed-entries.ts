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
 * Returns the newest entries for a list. Heartbeats would push everything else out of it.
 *
 * @param entries oldest first
 * @param withHeartbeats whether heartbeats are shown
 */
export function feedEntries(entries: readonly TimelineEntry[], withHeartbeats: boolean): FeedEntries {
  const shown: TimelineEntry[] = [];
  let heartbeats = 0;
  for (const entry of entries.toReversed()) {
    if (entry.heartbeat) heartbeats++;
    if (shown.length < longest && (withHeartbeats || !entry.heartbeat)) shown.push(entry);
  }
  return { shown, heartbeats };
}
