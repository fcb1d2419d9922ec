import type { KubeObject } from "@operator-path/client";
import {
  type DeletedFinalStateUnknown,
  type EventHandler,
  keyOf,
  unwrapTombstone,
} from "@operator-path/informers";

/** A key as a handler last heard of it. */
interface Known {
  uid: string;
  resourceVersion: string;
  /** False: deleted, as of that version. */
  exists: boolean;
}

/** What a handler has been told, played back: it must end where a list begins. */
export interface Replay<T extends KubeObject> {
  /** Reads every object. */
  readonly objectHandler: EventHandler<T>;
  /** Reads no object: key and versions of the change alone. */
  readonly changeHandler: EventHandler<T>;
  /** `uid resourceVersion` by key, of the objects that exist as far as the handler was told. */
  state(): ReadonlyMap<string, string>;
  /** Events so far. */
  readonly events: number;
  /** Events that cannot have happened in this order, in words; at most the first 20. */
  readonly wrong: readonly string[];
}

export function createReplay<T extends KubeObject>(): Replay<T> {
  // What is deleted stays, so that this takes the same memory however long a soak lasts.
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
    if (before?.exists) return `it is there already, as ${before.uid} ${before.resourceVersion}`;
    return before && isNewer(before.resourceVersion, now.resourceVersion)
      ? `its deletion was at ${before.resourceVersion}`
      : undefined;
  }
  if (!before?.exists) return "it is not there";
  if (before.uid !== now.uid) return `it is ${before.uid}`;
  return isNewer(before.resourceVersion, now.resourceVersion)
    ? `it was at ${before.resourceVersion} already`
    : undefined;
}

/** Versions are decimal numbers that grow (KEP-5504). */
function isNewer(version: string, than: string): boolean {
  return version.length === than.length ? version > than : version.length > than.length;
}
