import { type Clock, watchful } from "@operator-path/client";
import type { Instant, Stopwatch } from "./stopwatch.ts";

/** The work had to stop because the Lease was not renewed in time, or belongs to another. */
export class LeadershipLostError extends Error {
  override readonly name = "LeadershipLostError";
}

/** One time of being the leader: from the answer that gave the Lease until the work is told to stop. */
export interface Term {
  /** For the work. Whoever looks at it (`aborted`, `throwIfAborted`) is told what the clock says at that moment. */
  readonly signal: AbortSignal;
  /** Not ended, by the clock. */
  isActive(): boolean;
  /** The Lease is (still) this candidate's, as far as it can know: true until its deadline, also when the work was told to stop. */
  holdsLease(): boolean;
  /** Milliseconds until the deadline. */
  left(): number;
  /** Milliseconds since the last renewal was sent. */
  sinceRenewal(): number;
  /** The Lease was renewed by a request that was sent then. */
  renewed(sentAt: Instant): void;
  /** Tells the work to stop. The first reason stays. */
  end(reason: unknown): void;
  /** The Lease is another's. */
  lose(why: string): void;
  /** No more timers. */
  clear(): void;
}

/**
 * A term lasts until `renewDeadline` milliseconds after the last renewal was *sent*: others may have seen it from then
 * on. The clock decides, not the timer: a process that was held up finds its term over although no timer has run yet.
 */
export function createTerm(
  {
    clock,
    stopwatch,
    renewDeadline,
    retryPeriod,
  }: { clock: Clock; stopwatch: Stopwatch; renewDeadline: number; retryPeriod: number },
  begun: Instant,
): Term {
  const controller = new AbortController();
  let renewedAt = begun;
  let isLost = false;
  const left = () => renewDeadline - stopwatch.atMostSince(renewedAt);
  // Not one timer for all of it: after a machine has slept, timers still wait for what was left of them.
  const nextCheck = () => clock.setTimeout(check, Math.min(left(), retryPeriod / 4));
  let timer = nextCheck();

  function check(): void {
    if (isLost) return;
    if (left() <= 0) lose(`the Lease was not renewed for ${renewDeadline} ms`);
    else {
      clock.clearTimeout(timer);
      timer = nextCheck();
    }
  }

  function lose(why: string): void {
    if (isLost) return;
    isLost = true;
    clock.clearTimeout(timer);
    controller.abort(new LeadershipLostError(why));
  }

  const hasPassed = () => {
    if (!isLost && left() <= 0) check();
    return isLost;
  };

  return {
    signal: watchful(controller.signal, hasPassed),
    isActive: () => !hasPassed() && !controller.signal.aborted,
    holdsLease: () => !hasPassed(),
    left,
    sinceRenewal: () => stopwatch.atMostSince(renewedAt),
    renewed(sentAt) {
      // Too late: a term that is over stays over.
      if (hasPassed()) return;
      renewedAt = sentAt;
      check();
    },
    end: (reason) => controller.abort(reason),
    lose,
    clear: () => clock.clearTimeout(timer),
  };
}
