import type { StoredObject } from "./stored-object.ts";

/** One write, as watchers see it. Shared by all of them. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: string;
  readonly revision: number;
  /** What was written. For DELETED: the last state, with the revision of the deletion. */
  readonly current: StoredObject;
  /** What was there before. Absent for ADDED. */
  readonly previous?: StoredObject;
}

/** The latest writes of one resource, oldest first, without gaps above `floor`. */
export interface History {
  /** Everything after this revision is still here; a reader that is at an older one must start anew. */
  readonly floor: number;
  /** About the memory that the objects in it take. An estimate: see `StoredObject.size`. */
  readonly bytes: number;
  append(event: StoreEvent): void;
  /** Events after the revision, oldest first. Only meaningful for `revision >= floor`. */
  since(revision: number): StoreEvent[];
  /** Forgets events up to and including the revision. */
  compact(revision: number): void;
  /** Forgets the older half of the events, the newest one too if it is the only one. */
  halve(): void;
}

/** @param limit number of events kept; when it is exceeded, the older half goes. */
export function createHistory(limit: number): History {
  let events: StoreEvent[] = [];
  let floor = 0;
  let bytes = 0;

  /** Index of the first event after the revision. */
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

  /** What is kept alive by the event and by no event before it. */
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
