import type { Clock } from "@operator-path/client";

/**
 * Judges a workqueue by its inputs and outputs. No key is processed twice at a time. A key is processed as
 * often as there is a reason (an add since its last run began, or a failure), and no more often. Waiting keys
 * of higher priority come first.
 */
export function createQueueJudge(clock: Clock, onProblem: (problem: string) => void) {
  /** Added, and not started since. */
  const waiting = new Map<string, { priority: number; since: number; last: number; times: number }>();
  const processing = new Set<string>();
  /** Keys whose last run has failed. */
  const failed = new Set<string>();
  /**
   * The runs that may follow without another add: one after each failure, and one if the key was added after
   * a worker received it and before that worker began.
   */
  const retries = new Map<string, number>();

  return {
    added(key: string, priority: number): void {
      const before = waiting.get(key);
      waiting.set(key, {
        priority: Math.max(priority, before?.priority ?? priority),
        since: before?.since ?? clock.now(),
        last: clock.now(),
        times: (before?.times ?? 0) + 1,
      });
    },
    begun(key: string): void {
      if (processing.has(key)) onProblem(`two workers process ${key} at the same time`);
      processing.add(key);
      const entry = waiting.get(key);
      const retry = retries.get(key) ?? 0;
      if (entry) {
        // The priority of a retry is unknown here.
        if (retry === 0) judgeOrder(key, entry.priority);
        if (entry.times > 1 && entry.last === clock.now()) retries.set(key, retry + 1);
      } else if (retry > 0) retries.set(key, retry - 1);
      else onProblem(`${key} is processed without a reason`);
      waiting.delete(key);
    },
    ended(key: string, hasFailed: boolean): void {
      processing.delete(key);
      if (hasFailed) retries.set(key, (retries.get(key) ?? 0) + 1);
      if (hasFailed) failed.add(key);
      else failed.delete(key);
      const entry = waiting.get(key);
      if (entry) entry.since = clock.now();
    },
    get waiting(): string[] {
      return [...waiting.keys()];
    },
    get idle(): boolean {
      return processing.size === 0 && failed.size === 0;
    },
  };

  function judgeOrder(key: string, priority: number): void {
    for (const [other, { priority: higher, since }] of waiting) {
      // Keys of the same moment have no order.
      if (higher > priority && since < clock.now() && !processing.has(other)) {
        onProblem(`${key} of priority ${priority} is processed before ${other} of ${higher}`);
      }
    }
  }
}
