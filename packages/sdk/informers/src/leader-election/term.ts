import { type Clock, observeSignal } from "@operator-path/client";
import type { Instant, Stopwatch } from "./stopwatch.ts";

/** The work had to stop because the Lease was not renewed in time, or another candidate holds it. */
export class LeadershipLostError extends Error {
  override readonly name = "LeadershipLostError";
}

/** One period of leadership: from acquiring the Lease until the work is asked to stop. */
export interface Term {
  /** The signal for the work. Reading it (`aborted`, `throwIfAborted`) checks the clock first. */
  readonly signal: AbortSignal;
  /** Returns whether the term is still active, by the clock. */
  isActive(): boolean;
  /**
   * Returns whether this candidate still holds the Lease, as far as it can know. It is true until the
   * deadline, even after the work was asked to stop.
   */
  holdsLease(): boolean;
  /** Returns the milliseconds until the deadline. */
  left(): number;
  /** Returns the milliseconds since the last successful renewal was sent. */
  sinceRenewal(): number;
  /** Records a renewal that was sent at `sentAt`. */
  renewed(sentAt: Instant): void;
  /** Asks the work to stop. The first reason counts. */
  end(reason: unknown): void;
  /** Ends the term because another candidate holds the Lease. */
  lose(why: string): void;
  /** Clears the timer. */
  clear(): void;
}

/**
 * Returns a term that lasts until `renewDeadline` milliseconds after the last renewal was *sent*: other
 * candidates may have seen the renewal since then. The clock decides, not the timer: a process that was
 * blocked finds its term expired even if no timer has run yet.
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
  // Several short timers instead of one: after a machine has slept, a timer still waits for its remaining
  // time.
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
    signal: observeSignal(controller.signal, hasPassed),
    isActive: () => !hasPassed() && !controller.signal.aborted,
    holdsLease: () => !hasPassed(),
    left,
    sinceRenewal: () => stopwatch.atMostSince(renewedAt),
    renewed(sentAt) {
      // Too late: an expired term stays expired.
      if (hasPassed()) return;
      renewedAt = sentAt;
      check();
    },
    end: (reason) => controller.abort(reason),
    lose,
    clear: () => clock.clearTimeout(timer),
  };
}
