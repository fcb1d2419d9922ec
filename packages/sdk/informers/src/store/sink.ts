import type { KubeObject } from "@operator-path/client";
import type { ReflectorSink } from "../reflector-sink.ts";
import { isOlder } from "../resource-version.ts";
import { EntryChange } from "./change.ts";
import type { Entry, StorePolicy } from "./entry.ts";
import type { EntryStore } from "./entry-store.ts";

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
  let trusting = false;

  function tell(
    type: "added" | "updated" | "deleted",
    entry: Entry<T>,
    before?: Entry<T>,
    flags?: { isInInitialList?: boolean; isFinalStateUnknown?: boolean },
  ): void {
    if (!listener.isIdle()) listener.changed(new EntryChange(type, entry, before, flags));
  }

  function bury(entry: Entry<T>): void {
    store.delete(entry.key);
    tell("deleted", entry, entry, { isFinalStateUnknown: true });
  }

  return {
    begin(isOlderTrusted) {
      epoch++;
      trusting = isOlderTrusted;
    },
    has: (key) => store.get(key) !== undefined,
    put(bytes, span) {
      const before = store.get(span.key);
      if (before) {
        const isSame = before.uid === span.uid && before.resourceVersion === span.resourceVersion;
        if (isSame || (!trusting && isOlder(span.resourceVersion, before.resourceVersion))) {
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
        tell("updated", entry, before);
        return;
      }
      // A different object under the same name: the informer missed the deletion of the first.
      if (before) bury(before);
      store.put(entry, undefined);
      tell("added", entry, undefined, { isInInitialList: isInInitialList && !before });
    },
    delete(bytes, span) {
      const before = store.get(span.key);
      if (!before || isOlder(span.resourceVersion, before.resourceVersion)) return;
      if (before.uid !== span.uid) return bury(before);
      store.delete(span.key);
      const last = policy.entryOf(bytes, span);
      tell("deleted", last, before);
      last.release();
    },
    end() {
      for (const entry of store.entries()) if (entry.epoch !== epoch) bury(entry);
      trusting = false;
      isInInitialList = false;
      listener.listed();
    },
  };
}
