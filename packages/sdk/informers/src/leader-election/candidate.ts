import { type Clock, isForbidden, isNotFound, isUnauthorized } from "@operator-path/client";
import { retryAfterOf } from "../backoff.ts";
import { describe } from "../describe.ts";
import { type ElectionDurations, jitterFactor } from "./durations.ts";
import type { LeaseLock } from "./lease-lock.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { createTerm, type Term } from "./term.ts";

export interface CandidateOptions extends ElectionDurations {
  /** Used in the log. */
  name: string;
  clock: Clock;
  stopwatch: Stopwatch;
  random: () => number;
  log(line: string): void;
  /** Called with the holder after each request for the Lease. */
  onHolder(identity: string): void;
}

/** Decides when to request the Lease (client-go: LeaderElector.acquire, renew and release). */
export interface Candidate {
  /** Resolves with a term once the candidate holds the Lease, or with undefined when the signal aborts. */
  acquire(signal: AbortSignal): Promise<Term | undefined>;
  /**
   * Renews until `done` aborts or the Lease is lost. It continues after the work was asked to stop: the work
   * may take time.
   */
  renew(term: Term, done: AbortSignal): Promise<void>;
  /**
   * Releases the Lease, and retries for up to `patience` milliseconds. It tries only once if `patience` is 0,
   * or if the error is permanent. Never rejects.
   */
  release(patience: number): Promise<void>;
}

export function createCandidate(lock: LeaseLock, options: CandidateOptions): Candidate {
  const { name, clock, stopwatch, random, renewDeadline, retryPeriod } = options;
  let lastFailure = "";

  function logFailure(error: unknown): void {
    const text = describe(error);
    if (text !== lastFailure) options.log(`leader election ${name}: ${text}; trying again`);
    lastFailure = text;
  }

  /** Limits each request to half of the renew deadline, so that a hanging request leaves time for another. */
  async function withTimeout<T>(
    milliseconds: number,
    request: (signal: AbortSignal) => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T> {
    const limit = Math.min(milliseconds, renewDeadline / 2);
    const late = new AbortController();
    const timer = clock.setTimeout(
      () => late.abort(new Error(`no answer for ${Math.round(limit)} ms`)),
      limit,
    );
    try {
      const result = await request(stop ? AbortSignal.any([stop, late.signal]) : late.signal);
      lastFailure = "";
      return result;
    } finally {
      clock.clearTimeout(timer);
      options.onHolder(lock.holder());
    }
  }

  /** Resolves early when the signal aborts. */
  const pause = (milliseconds: number, signal?: AbortSignal) =>
    clock.sleep(milliseconds, signal).catch(() => {});

  return {
    async acquire(signal) {
      options.log(`attempting to acquire leader lease ${name}`);
      while (!signal.aborted) {
        let wait = retryPeriod * (1 + random() * jitterFactor);
        try {
          const attempt = await withTimeout(renewDeadline, lock.acquireOrRenew, signal);
          if (attempt.holder === "self") {
            const term = createTerm(options, attempt.sentAt);
            // Unless the answer arrived after its term had already expired.
            if (term.isActive()) return term;
            wait = 0;
          }
        } catch (error) {
          if (signal.aborted) return undefined;
          logFailure(error);
          wait = Math.max(wait, retryAfterOf(error));
        }
        await pause(wait, signal);
      }
      return undefined;
    },

    async renew(term, done) {
      let wait = retryPeriod;
      while (true) {
        await pause(Math.min(wait, term.left()), done);
        if (done.aborted || !term.holdsLease()) break;
        const begun = stopwatch.now();
        try {
          const attempt = await withTimeout(term.left(), lock.acquireOrRenew, done);
          if (attempt.holder === "self") term.renewed(attempt.sentAt);
          else
            term.lose(attempt.identity ? `${attempt.identity} holds the Lease` : "the Lease has no holder");
          wait = retryPeriod;
        } catch (error) {
          if (done.aborted) break;
          logFailure(error);
          // The period includes the time of the attempt, because there is a deadline to meet.
          wait = Math.max(0, retryPeriod - stopwatch.atMostSince(begun));
        }
      }
      term.clear();
    },

    async release(patience) {
      const begun = stopwatch.now();
      let refused = false;
      while (true) {
        try {
          return await withTimeout(Math.max(patience, retryPeriod), lock.release);
        } catch (error) {
          // The Lease was deleted together with this operator, as in an uninstallation.
          if (isNotFound(error)) return;
          logFailure(error);
          refused = isForbidden(error) || isUnauthorized(error);
        }
        if (refused || stopwatch.atMostSince(begun) + retryPeriod > patience) {
          options.log(
            `leader election ${name}: the Lease was not released; other candidates wait until it expires`,
          );
          return;
        }
        await pause(retryPeriod);
      }
    },
  };
}
