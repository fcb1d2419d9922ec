import type { KubeObject } from "@operator-path/client";
import type { ReflectorSink } from "../reflector-sink.ts";
import { isOlder } from "../resource-version.ts";
import { EntryChange } from "./change.ts";
import type { Entry, StorePolicy } from "./entry.ts";
import type { EntryStore } from "./entry-store.ts";

/** Who is told of what the sink does to the store. */
export interface SinkListener<T extends KubeObject> {
  /** The store has it already. */
  changed(change: EntryChange<T>): void;
  /** Nobody needs changes to be made: there are no handlers. */
  isIdle(): boolean;
  /** A list is complete; the first time, it is the initial one. */
  listed(): void;
}

/**
 * Puts what a reflector hears into a store as it comes, and tells of the changes that this makes. No list is collected:
 * each entry notes the list that has seen it, and at a list's end those that it has not seen are deleted.
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
        // The strings that are kept already: those of the span are free to go.
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
      // Another object under the same name: the end of the first one went unseen.
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
