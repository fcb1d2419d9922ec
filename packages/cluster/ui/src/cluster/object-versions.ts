import type { KubeObject } from "@operator-path/client";
import type { TimelineEntry } from "./wire.ts";

/** An object at a moment, and the change that made it so. */
export interface ObjectVersion {
  readonly object: KubeObject;
  /** The object before that change. Undefined if it was created by it, or if no change is known. */
  readonly before?: KubeObject;
  readonly entry?: TimelineEntry;
}

/** Old versions of objects, as text, up to a number of bytes. */
export interface ObjectVersions {
  /** Keeps both sides of a change: undefined before a creation and after a deletion. */
  push(entry: TimelineEntry, before: KubeObject | undefined, after: KubeObject | undefined): void;
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
    push(entry, before, after) {
      const previous = latest.get(entry.uid);
      const isKnown = before !== undefined && previous?.version === before.metadata?.resourceVersion;
      const texts = {
        before: isKnown ? previous?.after : before && JSON.stringify(before),
        after: after && JSON.stringify(after),
      };
      const own = (texts.after?.length ?? 0) + (isKnown ? 0 : (texts.before?.length ?? 0));
      const change = { entry, ...texts, version: after?.metadata?.resourceVersion, bytes: own };
      kept.push(change);
      bytes += own;
      latest.set(entry.uid, change);
      while (bytes > maxBytes && from < kept.length) drop();
      if (from < 1000 && from < kept.length) return;
      kept = kept.slice(from);
      from = 0;
    },
    find(uid, seq = Number.POSITIVE_INFINITY, current) {
      let last: Kept | undefined;
      for (let index = from; index < kept.length; index++) {
        const one = kept[index];
        if (one?.entry.uid !== uid) continue;
        if (one.entry.seq <= seq) last = one;
        // Its next change knows the object as it was.
        else return versionOf(last, one.before);
      }
      return versionOf(last, last ? last.after : current && JSON.stringify(current));
    },
  };
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
