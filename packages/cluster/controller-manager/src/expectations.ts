import type { Clock } from "@operator-path/client";

/**
 * The writes that a controller has made and not yet seen in its cache. Caches lag. Without expectations, a
 * ReplicaSet that is reconciled right after it created a Pod would not find the Pod and create another.
 * (client-go: controller.UIDTrackingControllerExpectations.)
 *
 * After `expect…`, `satisfied(key)` is false until `creationObserved` was called for each creation, or
 * `deletionObserved` for each uid. Report failed writes too, because no event will follow. Events may be
 * lost, so expectations older than five minutes count as satisfied: a lost event delays a controller but does
 * not stop it.
 */
export interface Expectations {
  expectCreations(key: string, count: number): void;
  /**
   * Takes the uids of the objects to delete. A deletion is seen twice: first the timestamp, then the removal.
   */
  expectDeletions(key: string, uids: string[]): void;
  /** Call it when an object appeared, or when its creation failed. */
  creationObserved(key: string): void;
  /** Call it when an object was deleted, or when its deletion failed. */
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
