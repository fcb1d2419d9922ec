import type { SimulatedObject } from "./objects.ts";

/** One write: the object before and after it. */
export interface Revision {
  version: number;
  resource: string;
  key: string;
  before: SimulatedObject | undefined;
  /** Undefined after a deletion. */
  after: SimulatedObject | undefined;
}

/** Every state of the store, under one version that only grows (etcd). */
export interface Revisions {
  readonly version: number;
  /** Events up to and including this version are compacted. */
  readonly compacted: number;
  /** `make` receives the version of the write. Returning undefined deletes the object. */
  write(resource: string, key: string, make: (version: number) => SimulatedObject | undefined): Revision;
  get(resource: string, key: string): SimulatedObject | undefined;
  /** The objects at a version, sorted by key. */
  list(resource: string, version?: number): SimulatedObject[];
  /** The writes after a version, up to and including another. */
  between(resource: string, after: number, upTo: number): Revision[];
  /** Raises the version, as writes to other resources do. */
  skip(versions: number): void;
  compact(upTo?: number): void;
}

export function createRevisions(first = 90): Revisions {
  let version = first;
  let compacted = 0;
  const log: Revision[] = [];
  /** The last write of each key. */
  const current = new Map<string, Revision>();
  const id = (resource: string, key: string) => `${resource} ${key}`;

  return {
    get version() {
      return version;
    },
    get compacted() {
      return compacted;
    },
    write(resource, key, make) {
      const before = current.get(id(resource, key))?.after;
      version += 1;
      const revision = { version, resource, key, before, after: make(version) };
      log.push(revision);
      current.set(id(resource, key), revision);
      return revision;
    },
    get: (resource, key) => current.get(id(resource, key))?.after,
    list(resource, at = version) {
      if (at === version) {
        const now = [...current.values()].filter((each) => each.resource === resource);
        return sortedByKey(now.flatMap(({ key, after }) => (after ? [[key, after] as const] : [])));
      }
      const states = new Map<string, SimulatedObject>();
      for (const revision of log) {
        if (revision.version > at) break;
        if (revision.resource !== resource) continue;
        if (revision.after) states.set(revision.key, revision.after);
        else states.delete(revision.key);
      }
      return sortedByKey([...states]);
    },
    between(resource, after, upTo) {
      const found: Revision[] = [];
      // From the end: most callers ask about recent writes.
      for (let at = log.length - 1; at >= 0; at--) {
        const revision = log[at] as Revision;
        if (revision.version <= after) break;
        if (revision.version <= upTo && revision.resource === resource) found.push(revision);
      }
      return found.reverse();
    },
    skip(versions) {
      version += versions;
    },
    compact(upTo = version) {
      compacted = Math.max(compacted, upTo);
    },
  };
}

function sortedByKey(objects: (readonly [key: string, object: SimulatedObject])[]): SimulatedObject[] {
  return objects.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}
