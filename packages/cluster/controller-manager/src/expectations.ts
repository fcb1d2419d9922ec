import type { Clock } from "@operator-path/client";

/**
 * What a controller has asked for and not yet seen in its cache. A cache is always a little behind: without this, a
 * ReplicaSet that created a Pod and is reconciled again at once would not find it, and would create another.
 * (client-go: controller.UIDTrackingControllerExpectations.)
 *
 * Promised: `satisfied(key)` is false from `expect…` until as many `creationObserved` calls have been made, or one
 * `deletionObserved` for each uid. What failed is to be reported with them too: it will not be seen any more.
 * Not promised: that every event arrives. Expectations older than five minutes count as satisfied, so that a lost one
 * delays a controller, and does not stop it.
 */
export interface Expectations {
  expectCreations(key: string, count: number): void;
  /** Takes the uids of the objects that are about to be deleted: a deletion is seen twice (timestamp, gone). */
  expectDeletions(key: string, uids: string[]): void;
  /** An object was seen to appear, or will not because its creation failed. */
  creationObserved(key: string): void;
  /** An object was seen to go, or will not because its deletion failed. */
  deletionObserved(key: string, uid: string): void;
  satisfied(key: string): boolean;
  forget(key: string): void;
}

const timeoutMs = 5 * 60_000;

export function createExpectations(clock: Clock): Expectations {
  const pending = new Map<string, { creations: number; deletions: Set<string>; since: number }>();

  return {
    expectCreations(key, count) {
      pending.set(key, { creations: count, deletions: new Set(), since: clock.steady() });
    },
    expectDeletions(key, uids) {
      pending.set(key, { creations: 0, deletions: new Set(uids), since: clock.steady() });
    },
    creationObserved(key) {
      const expected = pending.get(key);
      if (expected !== undefined && expected.creations > 0) expected.creations--;
    },
    deletionObserved(key, uid) {
      pending.get(key)?.deletions.delete(uid);
    },
    satisfied(key) {
      const expected = pending.get(key);
      if (expected === undefined) return true;
      const fulfilled = expected.creations === 0 && expected.deletions.size === 0;
      return fulfilled || clock.steady() - expected.since > timeoutMs;
    },
    forget(key) {
      pending.delete(key);
    },
  };
}
