import type { KubeObject } from "@operator-path/client";
import type { TimelineEntry } from "./wire.ts";

/** An object at a moment, and the change that made it so. */
export interface ObjectVersion {
  readonly object: KubeObject;
  /** The object before that change. Undefined if it was created by it, or if no change is known. */
  readonly before?: KubeObject;
  readonly entry?: TimelineEntry;
}

/** A change with the object on both of its sides: undefined before a creation and after a deletion. */
export interface ObjectChange {
  readonly entry: TimelineEntry;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** Old versions of objects, as text, up to a number of bytes. */
export interface ObjectVersions {
  push(change: ObjectChange): void;
  /** Keeps changes from before all others, oldest first. The oldest are dropped first. */
  prepend(changes: readonly ObjectChange[]): void;
  /**
   * Returns an object as of an entry.
   *
   * @param seq default: now
   * @param current the object now, if it exists
   */
  find(uid: string, seq: number | undefined, current: KubeObject | undefined): ObjectVersion | undefined;
  /** The bytes that are kept. */
  readonly bytes: number;
}

interface Kept {
  readonly entry: TimelineEntry;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly version: string | undefined;
  readonly bytes: number;
}

export function createObjectVersions(maxBytes: number): ObjectVersions {
  /** Oldest first. Those before `from` have been dropped. */
  let kept: Kept[] = [];
  let from = 0;
  let bytes = 0;
  /** The last change of each object. Its text is the next change's text before. */
  const latest = new Map<string, Kept>();

  function trim(): void {
    while (bytes > maxBytes && from < kept.length) drop();
  }

  function drop(): void {
    const oldest = kept[from++];
    if (!oldest) return;
    bytes -= oldest.bytes;
    if (latest.get(oldest.entry.uid) === oldest) latest.delete(oldest.entry.uid);
  }

  return {
    get bytes() {
      return bytes;
    },
    push(given) {
      const change = asText(given, latest);
      kept.push(change);
      bytes += change.bytes;
      trim();
      if (from < 1000 && from < kept.length) return;
      kept = kept.slice(from);
      from = 0;
    },
    prepend(changes) {
      // The next change of an object keeps its own copy of the earlier text.
      const older = new Map<string, Kept>();
      const added = changes.map((change) => asText(change, older));
      kept = [...added, ...kept.slice(from)];
      from = 0;
      bytes += added.reduce((sum, change) => sum + change.bytes, 0);
      for (const [uid, change] of older) if (!latest.has(uid)) latest.set(uid, change);
      trim();
    },
    find(uid, seq = Number.POSITIVE_INFINITY, current) {
      let last: Kept | undefined;
      for (let index = from; index < kept.length; index++) {
        const one = kept[index];
        if (one?.entry.uid !== uid) continue;
        if (one.entry.seq <= seq) last = one;
        // The next change holds the object's state before it.
        else return versionOf(last, one.before);
      }
      return versionOf(last, last ? last.after : current && JSON.stringify(current));
    },
  };
}

/** @param latest the last change of each object, which this one replaces */
function asText({ entry, before, after }: ObjectChange, latest: Map<string, Kept>): Kept {
  const previous = latest.get(entry.uid);
  const isKnown = before !== undefined && previous?.version === before.metadata?.resourceVersion;
  const texts = {
    before: isKnown ? previous?.after : before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  };
  const bytes = (texts.after?.length ?? 0) + (isKnown ? 0 : (texts.before?.length ?? 0));
  const change = { entry, ...texts, version: after?.metadata?.resourceVersion, bytes };
  latest.set(entry.uid, change);
  return change;
}

function versionOf(last: Kept | undefined, text: string | undefined): ObjectVersion | undefined {
  // Of a deleted object, the last state is shown.
  const shown = text ?? last?.before;
  if (shown === undefined) return undefined;
  const before = last?.before === undefined ? undefined : (JSON.parse(last.before) as KubeObject);
  return {
    object: JSON.parse(shown) as KubeObject,
    ...(before && { before }),
    ...(last && { entry: last.entry }),
  };
}
