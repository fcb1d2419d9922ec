import type { StoredObject } from "./stored-object.ts";

/** One write, shared by all watchers. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: string;
  readonly revision: number;
  /** The written object. For DELETED: the last state, with the revision of the deletion. */
  readonly current: StoredObject;
  /** The object before the write. Undefined for ADDED. */
  readonly previous?: StoredObject;
}

/** The latest writes of one resource, oldest first, without gaps above `floor`. */
export interface History {
  /** All writes after this revision are available. A reader with an older revision must start again. */
  readonly floor: number;
  /** Approximate memory of the objects in bytes: see `StoredObject.size`. */
  readonly bytes: number;
  append(event: StoreEvent): void;
  /** Returns the events after the revision, oldest first. Requires `revision >= floor`. */
  since(revision: number): StoreEvent[];
  /** Drops events up to and including the revision. */
  compact(revision: number): void;
  /** Drops the older half of the events, or the only one. */
  halve(): void;
}

/** Returns a history. @param limit the most events. When there are more, the older half is dropped */
export function createHistory(limit: number): History {
  let events: StoreEvent[] = [];
  let floor = 0;
  let bytes = 0;

  /** Returns the index of the first event after the revision. */
  function indexAfter(revision: number): number {
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events[middle] as StoreEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the memory that this event, and none before it, keeps alive. */
  function sizeOf({ current, previous }: StoreEvent): number {
    const before = previous === undefined || previous.revision > floor ? 0 : previous.size();
    return current.size() + before;
  }

  function compact(revision: number): void {
    if (revision <= floor) return;
    events = events.slice(indexAfter(revision));
    floor = revision;
    bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
  }

  function halve(): void {
    const middle = events[events.length >> 1];
    if (middle !== undefined) compact(middle.revision);
  }

  return {
    get floor() {
      return floor;
    },
    get bytes() {
      return bytes;
    },
    append(event) {
      events.push(event);
      bytes += sizeOf(event);
      if (events.length > limit) halve();
    },
    since(revision) {
      return events.slice(indexAfter(revision));
    },
    compact,
    halve,
  };
}
