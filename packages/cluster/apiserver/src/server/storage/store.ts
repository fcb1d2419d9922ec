import type { ApiObject } from "../../lib/json/json.ts";
import { createHistory, type History, type StoreEvent } from "./history.ts";
import { createSortedKeys, type SortedKeys } from "./sorted-keys.ts";
import { createSpace, type SpaceLimits } from "./space.ts";
import { createStoredObject, type StoredObject } from "./stored-object.ts";

/** The requested revision has been compacted. */
export class CompactedError extends Error {
  override readonly name = "CompactedError";
  readonly revision: number;
  /** The oldest revision that can be requested. */
  readonly floor: number;

  constructor(revision: number, floor: number) {
    super(`revision ${revision} has been compacted; the oldest that is kept is ${floor}`);
    this.revision = revision;
    this.floor = floor;
  }
}

export interface RangeOptions {
  /** Only keys with this prefix, such as `namespace/`. Default: all. */
  prefix?: string;
  /** Starts at the first key ≥ this one. */
  from?: string;
  /** Reads the state at this revision. Default: now. Throws CompactedError when it is too old. */
  revision?: number;
}

/**
 * Objects in memory, in several versions: what etcd and the watch cache are for kube-apiserver.
 *
 * It promises:
 * - One revision for all resources, which increases by one with every write.
 * - Stored objects never change.
 * - Every watcher of a resource receives each write once, in order, before the writing call returns.
 * - A range shows the state at one revision.
 *
 * It does not promise persistence, or history beyond the limits.
 *
 * Writes are compare-and-set: they take the object that the caller has read, and return undefined when it has
 * changed since.
 */
export interface Store {
  readonly revision: number;
  get(resource: string, key: string): StoredObject | undefined;
  count(resource: string): number;
  range(resource: string, options?: RangeOptions): StoredObject[];
  /**
   * Stores a new object. Returns undefined when the key is taken. @throws ApiStatusError 500 beyond the quota
   */
  create(resource: string, key: string, object: ApiObject): StoredObject | undefined;
  /**
   * Replaces an object. Returns undefined when it has changed since `seen`. @throws ApiStatusError 500 beyond
   * the quota
   */
  replace(resource: string, seen: StoredObject, object: ApiObject): StoredObject | undefined;
  /**
   * Deletes an object. Returns its last state, with the revision of the deletion, or undefined when it has
   * changed since `seen`.
   */
  delete(resource: string, seen: StoredObject): StoredObject | undefined;
  /**
   * Calls back for every write after `revision`. Replays writes in the history immediately, then follows new
   * ones. Throws CompactedError. A callback that throws is removed, and `onWatcherError` receives its error.
   */
  watch(resource: string, revision: number, onEvent: (event: StoreEvent) => void): () => void;
  /** Drops history up to the revision. Lists and watches from before get a 410. */
  compact(revision: number): void;
  /** Drops the whole history of one resource. Lists and watches from before get a 410. */
  restartHistory(resource: string): void;
}

export interface StoreOptions extends SpaceLimits {
  /** The most events of each resource. When there are more, the older half is dropped. Default: 10 000. */
  historyLimit?: number;
  /**
   * The most memory of past objects of all resources together, in bytes (an estimate). When they need more,
   * the largest history loses the older half of its events. Default: 128 MiB.
   */
  historyBytes?: number;
  /**
   * Receives the error of a watcher that threw. Default: throws it as an uncaught exception after the write
   * has returned.
   */
  onWatcherError?: (error: unknown) => void;
}

interface Collection {
  keys: SortedKeys;
  objects: Map<string, StoredObject>;
  history: History;
  watchers: Set<(event: StoreEvent) => void>;
}

export function createStore(options: StoreOptions = {}): Store {
  const historyLimit = options.historyLimit ?? 10_000;
  const historyBytes = options.historyBytes ?? 128 * 1024 * 1024;
  const { onWatcherError = throwLater } = options;
  const space = createSpace(options);
  const collections = new Map<string, Collection>();
  let revision = 0;
  let compacted = 0;

  function collection(resource: string): Collection {
    let found = collections.get(resource);
    if (found === undefined) {
      found = {
        keys: createSortedKeys(),
        objects: new Map(),
        history: createHistory(historyLimit),
        watchers: new Set(),
      };
      found.history.compact(compacted);
      collections.set(resource, found);
    }
    return found;
  }

  function publish(target: Collection, event: StoreEvent): void {
    target.history.append(event);
    for (const watcher of [...target.watchers]) {
      try {
        watcher(event);
      } catch (error) {
        // The write is stored, and the other watchers must receive it. This one has missed an event, so it
        // gets no more.
        target.watchers.delete(watcher);
        onWatcherError(error);
      }
    }
    // The watchers have received these objects, which are now history. No reader has requested their bytes
    // yet.
    event.previous?.retire();
    if (event.type === "DELETED") event.current.retire();
    shrink();
  }

  /**
   * Shrinks the largest history, so that one busy resource does not cost watchers of the others their place.
   */
  function shrink(): void {
    const histories = [...collections.values()].map(({ history }) => history);
    while (histories.reduce((sum, { bytes }) => sum + bytes, 0) > historyBytes) {
      histories.reduce((most, history) => (history.bytes > most.bytes ? history : most)).halve();
    }
  }

  function checkFloor(target: Collection, asked: number): void {
    if (asked < target.history.floor) throw new CompactedError(asked, target.history.floor);
  }

  /** Returns the current state with the writes after the revision undone. */
  function rangeAt(target: Collection, { prefix = "", from, revision: at }: RangeOptions): StoredObject[] {
    const undone = new Map<string, StoredObject | undefined>();
    if (at !== undefined && at < revision) {
      checkFloor(target, at);
      for (const event of target.history.since(at).reverse()) undone.set(event.current.key, event.previous);
    }
    const found: StoredObject[] = [];
    for (const key of target.keys.range(prefix, from)) {
      const object = undone.has(key) ? undone.get(key) : target.objects.get(key);
      if (object !== undefined) found.push(object);
    }
    const start = from ?? prefix;
    const deletedSince = [...undone.values()].filter(
      (object) =>
        object !== undefined &&
        !target.objects.has(object.key) &&
        object.key.startsWith(prefix) &&
        object.key >= start,
    ) as StoredObject[];
    if (deletedSince.length === 0) return found;
    return [...found, ...deletedSince].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  return {
    get revision() {
      return revision;
    },
    get: (resource, key) => collections.get(resource)?.objects.get(key),
    count: (resource) => collections.get(resource)?.objects.size ?? 0,
    range: (resource, range = {}) => rangeAt(collection(resource), range),
    create(resource, key, object) {
      const target = collection(resource);
      if (target.objects.has(key)) return undefined;
      const current = createStoredObject(key, revision + 1, object);
      space.replace(undefined, current);
      revision++;
      target.keys.add(key);
      target.objects.set(key, current);
      publish(target, { type: "ADDED", resource, revision, current });
      return current;
    },
    replace(resource, seen, object) {
      const target = collection(resource);
      if (target.objects.get(seen.key) !== seen) return undefined;
      const current = createStoredObject(seen.key, revision + 1, object);
      space.replace(seen, current);
      revision++;
      target.objects.set(seen.key, current);
      publish(target, { type: "MODIFIED", resource, revision, current, previous: seen });
      return current;
    },
    delete(resource, seen) {
      const target = collection(resource);
      if (target.objects.get(seen.key) !== seen) return undefined;
      space.free(seen);
      const current = createStoredObject(seen.key, ++revision, seen.object);
      target.keys.delete(seen.key);
      target.objects.delete(seen.key);
      publish(target, { type: "DELETED", resource, revision, current, previous: seen });
      return current;
    },
    watch(resource, from, onEvent) {
      const target = collection(resource);
      checkFloor(target, from);
      for (const event of target.history.since(from)) onEvent(event);
      target.watchers.add(onEvent);
      return () => target.watchers.delete(onEvent);
    },
    compact(upTo) {
      compacted = Math.max(compacted, Math.min(upTo, revision));
      for (const target of collections.values()) target.history.compact(compacted);
    },
    restartHistory: (resource) => collection(resource).history.compact(revision),
  };
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
