import type { KubeObject } from "@operator-path/client";
import {
  type DeletedFinalStateUnknown,
  type EventHandler,
  keyOf,
  unwrapTombstone,
} from "@operator-path/informers";

/** The last known state of a key. */
interface Known {
  uid: string;
  resourceVersion: string;
  /** False: deleted at that version. */
  exists: boolean;
}

/** Replays the events of a handler: they must lead to the state of a list. */
export interface Replay<T extends KubeObject> {
  /** Reads every object. */
  readonly objectHandler: EventHandler<T>;
  /** Reads no object: only key and versions of the change. */
  readonly changeHandler: EventHandler<T>;
  /** `uid resourceVersion` by key, of the objects that exist according to the events. */
  state(): ReadonlyMap<string, string>;
  /** The number of events. */
  readonly events: number;
  /** Events that cannot happen in this order, one sentence each; the first 20 at most. */
  readonly wrong: readonly string[];
}

export function createReplay<T extends KubeObject>(): Replay<T> {
  // Deleted keys stay in the map, so that it takes the same memory however long a soak lasts.
  const known = new Map<string, Known>();
  const wrong: string[] = [];
  let events = 0;

  function note(
    type: "added" | "updated" | "deleted",
    key: string,
    uid: string,
    resourceVersion: string,
  ): void {
    events++;
    const before = known.get(key);
    const now = { uid, resourceVersion, exists: type !== "deleted" };
    const problem = problemWith(type, now, before);
    if (problem && wrong.length < 20) wrong.push(`${type} ${key} ${uid} ${resourceVersion}: ${problem}`);
    if (before) Object.assign(before, now);
    else known.set(key, now);
  }

  const noteObject = (type: "added" | "updated" | "deleted", object: T | DeletedFinalStateUnknown<T>) => {
    const { metadata } = unwrapTombstone(object);
    note(type, keyOf(unwrapTombstone(object)), metadata?.uid ?? "", metadata?.resourceVersion ?? "");
  };

  return {
    objectHandler: {
      added: (object) => noteObject("added", object),
      updated: (_, object) => noteObject("updated", object),
      deleted: (object) => noteObject("deleted", object),
    },
    changeHandler: {
      changed: ({ type, key, uid, resourceVersion }) => note(type, key, uid, resourceVersion),
    },
    state() {
      const state = new Map<string, string>();
      for (const [key, { uid, resourceVersion, exists }] of known) {
        if (exists) state.set(key, `${uid} ${resourceVersion}`);
      }
      return state;
    },
    get events() {
      return events;
    },
    wrong,
  };
}

function problemWith(
  type: "added" | "updated" | "deleted",
  now: Known,
  before: Known | undefined,
): string | undefined {
  if (type === "added") {
    if (before?.exists) return `it exists already, as ${before.uid} ${before.resourceVersion}`;
    return before && isNewer(before.resourceVersion, now.resourceVersion)
      ? `its deletion was at ${before.resourceVersion}`
      : undefined;
  }
  if (!before?.exists) return "it does not exist";
  if (before.uid !== now.uid) return `it is ${before.uid}`;
  return isNewer(before.resourceVersion, now.resourceVersion)
    ? `it was at ${before.resourceVersion} already`
    : undefined;
}

/** Versions are decimal numbers that grow (KEP-5504). */
function isNewer(version: string, than: string): boolean {
  return version.length === than.length ? version > than : version.length > than.length;
}
