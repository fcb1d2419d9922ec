import type { EventView, TimelineEntry } from "../cluster/wire.ts";

/** An Event as it was at a moment. The time of its last occurrence by then may be older than the history. */
export interface PastEvent extends Omit<EventView, "at"> {
  readonly at: number | undefined;
}

/**
 * Returns the Events of an object as they were at a moment of its history, newest first.
 *
 * @param listed its Events now
 * @param entries its entries, oldest first, also those after the moment
 * @param seq the last entry by that moment. Undefined: now
 */
export function eventsAsOf(
  listed: readonly EventView[],
  entries: readonly TimelineEntry[],
  seq: number | undefined,
): PastEvent[] {
  if (seq === undefined) return [...listed];
  const events = new Map<string, PastEvent>();
  /** The first occurrence after the moment. */
  const later = new Map<string, TimelineEntry>();
  for (const entry of entries) {
    if (entry.type !== "event") continue;
    if (entry.seq <= seq) events.set(entry.text, eventOf(entry));
    else if (!later.has(entry.text)) later.set(entry.text, entry);
  }
  for (const event of listed) {
    const text = `${event.reason}: ${event.message}`;
    if (events.has(text)) continue;
    const next = later.get(text);
    // The history has no entry of it: it is older.
    if (!next) events.set(text, event);
    else if ((next.count ?? 1) > 1)
      events.set(text, { ...event, at: undefined, count: (next.count ?? 1) - 1 });
  }
  return [...events.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

function eventOf({ at, by, text, warning = false, count = 1 }: TimelineEntry): PastEvent {
  const end = text.indexOf(": ");
  return { at, warning, reason: text.slice(0, end), message: text.slice(end + 2), source: by, count };
}
