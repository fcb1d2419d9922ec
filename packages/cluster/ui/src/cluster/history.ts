import type { ObjectView, TimelineEntry } from "./wire.ts";

/** The last entries of a time line, and the objects before the first of them. The browser has one, too. */
export interface History {
  /** Adds an object that existed before all entries, so that no entry reports it. */
  seed(view: ObjectView): void;
  /**
   * Appends an entry, which must not be older than the last one. Drops the oldest entries beyond the limit, and
   * applies them to the base.
   */
  push(entry: TimelineEntry): void;
  /**
   * Adds what was before the first entry, oldest first.
   *
   * @param base the objects before these entries
   * @returns false, and changes nothing, if entries have been dropped since
   */
  prepend(base: Iterable<ObjectView>, older: readonly TimelineEntry[]): boolean;
  /** The entries, oldest first. */
  readonly entries: readonly TimelineEntry[];
  /** Returns the objects before the first entry. */
  base(): ObjectView[];
  /** Returns the objects as they are now, by UID. The map changes with the next `push`. */
  readonly now: ReadonlyMap<string, ObjectView>;
  /**
   * Returns the objects as they were at a time, by UID. Before the first entry, they are those of `base`: the
   * history does not go further back.
   */
  at(time: number): ReadonlyMap<string, ObjectView>;
}

/**
 * Creates a history.
 *
 * @param limit the number of entries that it keeps
 */
export function createHistory(limit: number, initial: Iterable<ObjectView> = []): History {
  let before = new Map(Array.from(initial, (view) => [view.uid, view]));
  const now = new Map(before);
  // Dropping one entry at a time from the front of a long array would copy the array each time.
  const slack = Math.max(16, limit >> 3);
  let entries: TimelineEntry[] = [];
  let hasDropped = false;
  function trim(): void {
    if (entries.length < limit + slack) return;
    hasDropped = true;
    for (const old of entries.slice(0, -limit)) apply(before, old);
    entries = entries.slice(-limit);
  }
  return {
    get entries() {
      return entries;
    },
    now,
    seed(view) {
      before.set(view.uid, view);
      now.set(view.uid, view);
    },
    push(entry) {
      apply(now, entry);
      entries.push(entry);
      trim();
    },
    prepend(base, older) {
      if (hasDropped) return false;
      before = new Map(Array.from(base, (view) => [view.uid, view]));
      entries = [...older, ...entries];
      trim();
      return true;
    },
    base: () => [...before.values()],
    at(time) {
      const last = entries.at(-1);
      if (!last || last.at <= time) return now;
      const objects = new Map(before);
      for (const entry of entries) {
        if (entry.at > time) break;
        apply(objects, entry);
      }
      return objects;
    },
  };
}

function apply(objects: Map<string, ObjectView>, { type, uid, view }: TimelineEntry): void {
  if (type === "deleted") objects.delete(uid);
  else if (view) objects.set(uid, view);
}
