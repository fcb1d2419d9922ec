import { createHistory, type History } from "./history.ts";
import { createObjectVersions, type ObjectVersions } from "./object-versions.ts";
import type { PastChange, Replayed } from "./replay-past.ts";
import type { TimelineEntry } from "./wire.ts";

export interface ModelListener {
  entry(entry: TimelineEntry): void;
  /** The history has changed at its beginning: objects have been listed, or the past was read. Read it again. */
  reset(): void;
}

/** An entry from before the view was opened. */
export interface EarlyEntry {
  readonly entry: Omit<TimelineEntry, "seq">;
  /** Of an Event: the number of its write. Its time has seconds only. */
  readonly revision?: number;
}

/** The history of a model with the old versions of its objects, and its listeners. */
export interface Timeline {
  readonly history: History;
  readonly versions: ObjectVersions;
  /** Appends an entry. Moves its time forward if the clock was set back. */
  record(entry: Omit<TimelineEntry, "seq">): TimelineEntry;
  /** Adds what was before all entries, with other entries that lie in that time. */
  addPast(past: Replayed, others: readonly EarlyEntry[]): void;
  /** Tells the listeners to read the history again. */
  reset(): void;
  subscribe(listener: ModelListener): () => void;
}

/** The number of the first entry after the view was opened. No server remembers as many writes from before it. */
const first = 1_000_000;

export function createTimeline(maxEntries: number, maxBytes: number): Timeline {
  const history = createHistory(maxEntries);
  const versions = createObjectVersions(maxBytes);
  const listeners = new Set<ModelListener>();
  let seq = first - 1;
  let lastAt = 0;

  function reset(): void {
    for (const listener of listeners) listener.reset();
  }

  return {
    history,
    versions,
    reset,
    record(given) {
      lastAt = Math.max(lastAt, given.at);
      const entry = { ...given, at: lastAt, seq: ++seq };
      history.push(entry);
      for (const listener of listeners) listener.entry(entry);
      return entry;
    },
    addPast({ base, changes }, others) {
      const start = changes[0]?.entry.at;
      if (start === undefined) return;
      const within = others
        .filter(({ entry }) => entry.at >= start)
        .map((other) => ({ entry: { ...other.entry, at: placeOf(other, changes) } }));
      const all = [...changes, ...within].sort((a, b) => a.entry.at - b.entry.at);
      const numbered = all.map((one, index) => ({
        ...one,
        entry: { ...one.entry, seq: first - all.length + index },
      }));
      const entries = numbered.map(({ entry }) => entry);
      if (!history.prepend(base, entries)) return;
      versions.prepend(numbered.filter((one) => "after" in one));
      reset();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns the time of an entry. An Event comes after the writes before it, within its second. */
function placeOf({ entry: { at }, revision }: EarlyEntry, changes: readonly PastChange[]): number {
  if (revision === undefined || at % 1000 !== 0) return at;
  const cause = changes.findLast((change) => change.revision < revision)?.entry.at ?? at;
  return Math.min(Math.max(at, cause), at + 999);
}
