import type { Clock } from "@operator-path/client";
import { isOlder } from "@operator-path/informers";

export interface PendingWritesOptions {
  /** Returns the resourceVersion of the cache. "" before the first list. */
  version(): string;
  /** Returns the UID of the cached object under this key. */
  uidOf(key: string): string | undefined;
  clock: Clock;
  /** Milliseconds that a read waits. */
  timeout: number;
  /** Called when a wait times out, with the first write that the cache has not received. */
  expired(key: string, version: string | undefined): void;
}

/** A write: the version that it created, the UID of the object that it removed, or both. */
export interface PendingWrite {
  readonly version: string | undefined;
  readonly removed: string | undefined;
}

/**
 * The writes that a cache has not received yet. resourceVersions of one server are ordered (KEP-5504), so a
 * cache at a write's version, or at a later one, has received it.
 */
export interface PendingWrites {
  note(key: string, write: PendingWrite): void;
  has(key: string): boolean;
  /** Call it after each change to the cache. */
  progressed(): void;
  /**
   * Resolves when the writes have arrived. Returns undefined when there is nothing to wait for. Rejects with
   * the signal's reason.
   */
  settled(keys: KeyFilter, signal?: AbortSignal): Promise<void> | undefined;
}

/** One key, or all keys of a namespace. "" means all namespaces. */
export type KeyFilter = { readonly key: string } | { readonly namespace: string };

interface Note extends PendingWrite {
  readonly at: number;
}

export function createPendingWrites(options: PendingWritesOptions): PendingWrites {
  const { clock, timeout } = options;
  const notes = new Map<string, Note>();
  const waiting = new Set<() => void>();
  let sweepAt = 64;

  function hasArrived(key: string, { version, removed }: PendingWrite): boolean {
    const current = options.version();
    if (current === "") return false;
    if (version !== undefined && isOlder(current, version)) return false;
    return removed === undefined || options.uidOf(key) !== removed;
  }

  /** Returns the writes that have not arrived, and drops those that have. */
  function pendingOf(keys: KeyFilter): [string, Note][] {
    const pending: [string, Note][] = [];
    for (const [key, note] of candidates(keys)) {
      if (hasArrived(key, note)) notes.delete(key);
      else pending.push([key, note]);
    }
    return pending;
  }

  function* candidates(keys: KeyFilter): Generator<[string, Note]> {
    if ("key" in keys) {
      const note = notes.get(keys.key);
      if (note) yield [keys.key, note];
    } else {
      const prefix = keys.namespace === "" ? "" : `${keys.namespace}/`;
      for (const [key, note] of notes) if (key.startsWith(prefix)) yield [key, note];
    }
  }

  /** Ignores later writes: a busy neighbour could otherwise delay a list forever. */
  async function wait(pending: [string, Note][], signal: AbortSignal | undefined): Promise<void> {
    const began = clock.steady();
    let arrived = 0;
    let isOver = false;
    let wake = () => {};
    const onWake = () => wake();
    const timer = clock.setTimeout(() => {
      isOver = true;
      wake();
    }, timeout);
    waiting.add(onWake);
    signal?.addEventListener("abort", onWake, { once: true });
    try {
      for (;;) {
        signal?.throwIfAborted();
        while (arrived < pending.length && hasArrived(...(pending[arrived] as [string, Note]))) arrived++;
        const next = pending[arrived];
        if (!next) return;
        if (isOver) return giveUp(next, began);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clock.clearTimeout(timer);
      waiting.delete(onWake);
      signal?.removeEventListener("abort", onWake);
    }
  }

  /** Drops the writes, so that a stuck cache does not delay every later read as well. */
  function giveUp([key, { version }]: [string, Note], began: number): void {
    const isFirst = notes.has(key);
    for (const [other, note] of notes) if (note.at <= began) notes.delete(other);
    // Other reads may have waited for the same write. Log it once.
    if (isFirst) options.expired(key, version);
  }

  function sweep(): void {
    for (const [key, note] of notes) if (hasArrived(key, note)) notes.delete(key);
    sweepAt = Math.max(64, 2 * notes.size);
  }

  return {
    note(key, write) {
      if (timeout <= 0) return;
      const before = notes.get(key);
      // Answers of parallel writes arrive in any order. The newest version counts.
      const isLate =
        before?.version !== undefined &&
        (write.version === undefined || isOlder(write.version, before.version));
      const version = isLate ? before.version : write.version;
      const note = { version, removed: write.removed ?? before?.removed, at: clock.steady() };
      if (hasArrived(key, note)) notes.delete(key);
      else notes.set(key, note);
      if (notes.size >= sweepAt) sweep();
    },
    has: (key) => notes.has(key),
    progressed() {
      for (const wake of waiting) wake();
    },
    settled(keys, signal) {
      const pending = pendingOf(keys);
      return pending.length > 0 ? wait(pending, signal) : undefined;
    },
  };
}
