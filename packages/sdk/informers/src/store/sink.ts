import type { KubeObject } from "@operator-path/client";
import { isOlder } from "../keys.ts";
import type { ObjectSpan } from "../wire/object-span.ts";
import { EntryChange } from "./change.ts";
import type { Entry, StorePolicy } from "./entry.ts";
import type { EntryStore } from "./entry-store.ts";

/**
 * Receives what a reflector reads, object by object (client-go: ReflectorStore). Bytes and span are valid
 * only during the call.
 */
export interface ReflectorSink {
  /**
   * Starts a list. Objects that are not put before `end` count as deleted. If a list breaks off, another
   * `begin` follows. Watch events may arrive between the objects of a stream. With `acceptOlder`, an older
   * object replaces a newer one.
   */
  begin(acceptOlder: boolean): void;
  has(key: string): boolean;
  put(bytes: Uint8Array, span: ObjectSpan): void;
  /** The bytes hold the object's last state; its resourceVersion is that of the deletion. */
  delete(bytes: Uint8Array, span: ObjectSpan): void;
  end(): void;
}

/** Receives the changes that the sink makes to the store. */
export interface SinkListener<T extends KubeObject> {
  /** Called after the store has the change. */
  changed(change: EntryChange<T>): void;
  /** Returns true if there are no handlers. The sink then creates no changes. */
  isIdle(): boolean;
  /** Called when a list is complete. The first call marks the initial list. */
  listed(): void;
}

/**
 * Returns a sink that applies a reflector's input to a store and reports the changes. It collects no list:
 * each entry records the last list that contained it, and at the end of a list the other entries are deleted.
 */
export function createStoreSink<T extends KubeObject>(
  store: EntryStore<T>,
  policy: StorePolicy<T>,
  listener: SinkListener<T>,
): ReflectorSink {
  let epoch = 0;
  let isInInitialList = true;
  let acceptsOlder = false;

  function notify(
    type: "added" | "updated" | "deleted",
    entry: Entry<T>,
    before?: Entry<T>,
    flags?: { isInInitialList?: boolean; isFinalStateUnknown?: boolean },
  ): void {
    if (!listener.isIdle()) listener.changed(new EntryChange(type, entry, before, flags));
  }

  function deleteMissed(entry: Entry<T>): void {
    store.delete(entry.key);
    notify("deleted", entry, entry, { isFinalStateUnknown: true });
  }

  return {
    begin(acceptOlder) {
      epoch++;
      acceptsOlder = acceptOlder;
    },
    has: (key) => store.get(key) !== undefined,
    put(bytes, span) {
      const before = store.get(span.key);
      if (before) {
        const isSame = before.uid === span.uid && before.resourceVersion === span.resourceVersion;
        if (isSame || (!acceptsOlder && isOlder(span.resourceVersion, before.resourceVersion))) {
          before.epoch = epoch;
          return;
        }
        // Reuse the stored strings, so that those of the span can be collected.
        span.key = before.key;
        if (span.uid === before.uid) span.uid = before.uid;
      }
      const entry = policy.entryOf(bytes, span);
      entry.epoch = epoch;
      if (before && before.uid === entry.uid) {
        store.put(entry, before);
        notify("updated", entry, before);
        return;
      }
      // A different object under the same name: the informer missed the deletion of the first.
      if (before) deleteMissed(before);
      store.put(entry, undefined);
      notify("added", entry, undefined, { isInInitialList: isInInitialList && !before });
    },
    delete(bytes, span) {
      const before = store.get(span.key);
      if (!before || isOlder(span.resourceVersion, before.resourceVersion)) return;
      if (before.uid !== span.uid) return deleteMissed(before);
      store.delete(span.key);
      const last = policy.entryOf(bytes, span);
      notify("deleted", last, before);
      last.release();
    },
    end() {
      for (const entry of store.entries()) if (entry.epoch !== epoch) deleteMissed(entry);
      acceptsOlder = false;
      isInInitialList = false;
      listener.listed();
    },
  };
}
