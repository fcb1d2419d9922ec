import type { Pod } from "@operator-path/client";
import { uidOf } from "../objects.ts";

const firstMs = 10_000;
const longestMs = 10 * 60_000;

/** How long a Job waits before it replaces Pods that failed: 10 s, 20 s, 40 s, … up to ten minutes, until one succeeds. */
export interface PodBackoff {
  /** Tells of Pods that have ended; each counts once. */
  ended(key: string, succeeded: Pod[], failed: Pod[], now: number): void;
  /** Milliseconds until new Pods may be created. */
  remaining(key: string, now: number): number;
  forget(key: string): void;
}

export function createPodBackoff(): PodBackoff {
  const records = new Map<string, { failures: number; last: number; seen: Set<string> }>();
  return {
    ended(key, succeeded, failed, now) {
      const record = records.get(key) ?? { failures: 0, last: 0, seen: new Set<string>() };
      records.set(key, record);
      const fresh = [
        ...succeeded.map((pod) => ({ pod, failed: false })),
        ...failed.map((pod) => ({ pod, failed: true })),
      ].filter(({ pod }) => !record.seen.has(uidOf(pod)));
      fresh.sort((a, b) => finishedAt(a.pod, now) - finishedAt(b.pod, now));
      for (const { pod, failed } of fresh) {
        record.seen.add(uidOf(pod));
        record.failures = failed ? record.failures + 1 : 0;
        if (failed) record.last = Math.max(record.last, finishedAt(pod, now));
      }
    },
    remaining(key, now) {
      const record = records.get(key);
      if (record === undefined || record.failures === 0) return 0;
      // It failed in the future: the clock was set back since.
      record.last = Math.min(record.last, now);
      const delay = Math.min(longestMs, firstMs * 2 ** (record.failures - 1));
      return Math.max(0, record.last + delay - now);
    },
    forget: (key) => void records.delete(key),
  };
}

/** When the last container of a Pod ended; else when the Pod was asked to go, else now. */
function finishedAt({ metadata, status }: Pod, now: number): number {
  const times = (status?.containerStatuses ?? []).flatMap(({ state }) => {
    const time = Date.parse(state?.terminated?.finishedAt ?? "");
    return Number.isNaN(time) ? [] : [time];
  });
  if (times.length > 0) return Math.max(...times);
  const deleted = Date.parse(metadata?.deletionTimestamp ?? "");
  return Number.isNaN(deleted) ? now : Math.min(deleted, now);
}
