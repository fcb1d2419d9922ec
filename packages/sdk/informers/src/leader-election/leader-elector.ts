import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Client, type Clock, type ObjectMeta, systemClock } from "@operator-path/client";
import { describe, guardLog } from "../describe.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { MetricsProvider } from "../metrics.ts";
import { createCandidate } from "./candidate.ts";
import { type ElectionDurations, electionDurations } from "./durations.ts";
import { createLeaseLock, type LeaseLock } from "./lease-lock.ts";
import { leaderElectionMetrics } from "./metrics.ts";
import { createStopwatch } from "./stopwatch.ts";
import { LeadershipLostError, type Term } from "./term.ts";

/** Durations are milliseconds. */
export interface LeaderElectorOptions extends Partial<ElectionDurations> {
  /** Created when it is not there. Candidates for the same work name the same one. */
  lease: { namespace: string; name: string };
  /** Another for each process, or two act at once. Default: host name and a random UUID, as controller-runtime has it. */
  identity?: string | undefined;
  /** Give the Lease back when the work is over, so that the next leader need not wait. Default true. */
  releaseOnCancel?: boolean | undefined;
  /** Set on the Lease. */
  labels?: Record<string, string> | undefined;
  /** Told of each other holder that is seen, also of oneself; "" when nobody holds the Lease. */
  onNewLeader?(identity: string): void;
  /** "<identity> became leader" and "… stopped leading", as Events about the Lease. */
  recorder?: EventRecorder | undefined;
  /** Gets `leaderElectionMetrics`. */
  metrics?: MetricsProvider | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Told when leadership begins and ends, and what failed and is tried again. Default: a line on stderr. */
  log?(line: string): void;
}

/**
 * Lets one of several processes do the work (client-go: LeaderElector on a LeaseLock).
 *
 * Promises: the work of a leader that can no longer know that it is the leader has been told to stop before another
 * begins, whatever happens to the network, to the API server, to either process (a blocked event loop, a stopped
 * process, a sleeping machine) or to wall clocks; as long as steady clocks differ in speed by less than
 * leaseDuration / renewDeadline.
 * Does not promise fencing: a request that was sent before the end may arrive after it, and work that does not heed its
 * signal goes on. What must not happen twice needs a precondition (resourceVersion, UID) in its request. Nor does it
 * protect from who deletes the Lease, or edits it.
 */
export interface LeaderElector {
  /**
   * Waits for the Lease, then calls `work`, and resolves when it has ended or `signal` aborts. Its signal aborts when
   * `signal` does (with the same reason: the Lease is kept until the work has ended, and then released), or as soon as
   * leadership is lost. Can be called again afterwards.
   *
   * Rejects with LeadershipLostError, after the work has ended, when leadership was lost: end the process then, and let
   * a new one be a candidate with fresh caches. Rejects with what the work throws.
   */
  run(work: (signal: AbortSignal) => Promise<void> | void, signal: AbortSignal): Promise<void>;
  /** By the clock: false as soon as the renew deadline has passed, also when no timer has run since. */
  isLeader(): boolean;
  /**
   * The same, and true also while work that was told to stop has not ended: the Lease is kept for it. Who acts in the end
   * of its work asks this.
   */
  holdsLease(): boolean;
  /** Whom the Lease named when it was last seen; "" for nobody, or before that. For people. */
  leader(): string;
  /**
   * For /healthz (client-go: HealthzAdaptor): throws when leadership was lost, and the work has gone on for longer
   * than leaseDuration + `tolerance` (default 20,000 ms) since the last renewal. Somebody else has begun by then: let
   * the kubelet end this process.
   */
  checkHealth(options?: { tolerance?: number }): void;
}

/** @throws RangeError or TypeError naming the option that does not fit */
export function createLeaderElector(client: Client, options: LeaderElectorOptions): LeaderElector {
  const durations = electionDurations(options);
  const { lease, labels, metrics, recorder, releaseOnCancel = true, onNewLeader } = options;
  const { identity = `${hostname()}_${randomUUID()}`, clock = systemClock, random = Math.random } = options;
  const log = guardLog(options.log ?? ((line) => console.error(line)));
  for (const field of ["namespace", "name"] as const) {
    if (!lease[field])
      throw new TypeError(`lease.${field} is empty: name the Lease that candidates compete for`);
  }
  if (!identity) throw new TypeError("identity is empty: each candidate needs one of its own");
  const name = `${lease.namespace}/${lease.name}`;
  const stopwatch = createStopwatch(clock);
  let term: Term | undefined;
  let isRunning = false;
  let leader = "";
  const masterStatus = metrics?.gauge(leaderElectionMetrics.masterStatus, { name: lease.name });
  const slowPath = metrics?.counter(leaderElectionMetrics.slowPath, { name: lease.name });
  masterStatus?.set(0);

  function onHolder(holder: string): void {
    if (holder === leader) return;
    leader = holder;
    try {
      onNewLeader?.(holder);
    } catch (error) {
      log(`leader election ${name}: onNewLeader: ${describe(error)}`);
    }
  }

  function record(metadata: ObjectMeta, action: string, what: string): void {
    const object = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata };
    recorder?.event(object, "Normal", "LeaderElection", `${identity} ${what}`, { action });
  }

  function onStarted(metadata: ObjectMeta): void {
    log(`successfully acquired lease ${name}`);
    masterStatus?.set(1);
    record(metadata, "BecomeLeader", "became leader");
  }

  function onStopped(metadata: ObjectMeta, why: unknown): void {
    log(`stopped leading ${name}${why instanceof LeadershipLostError ? `: ${why.message}` : ""}`);
    masterStatus?.set(0);
    record(metadata, "StopLeading", "stopped leading");
  }

  /** Until the work has ended, whatever becomes of the term. Resolves with what the work threw. */
  async function lead(
    lock: LeaseLock,
    own: Term,
    work: Work,
    signal: AbortSignal,
  ): Promise<{ error: unknown } | undefined> {
    const stop = () => own.end(signal.reason);
    const onEnd = () => onStopped(lock.metadata(), own.signal.reason);
    own.signal.addEventListener("abort", onEnd, { once: true });
    onStarted(lock.metadata());
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await work(own.signal);
    } catch (error) {
      // It was told to stop, and says so.
      if (!(own.signal.aborted && isAbort(error, own.signal.reason))) return { error };
    } finally {
      signal.removeEventListener("abort", stop);
      own.end(workEnded);
    }
    return undefined;
  }

  return {
    async run(work, signal) {
      if (isRunning) throw new Error(`this candidate for ${name} runs already`);
      isRunning = true;
      try {
        const lock = createLeaseLock(client, {
          ...{ lease, identity, labels, clock, stopwatch, leaseDuration: durations.leaseDuration },
          onSlowPath: () => slowPath?.inc(),
        });
        const candidate = createCandidate(lock, {
          ...durations,
          name,
          clock,
          stopwatch,
          random,
          log,
          onHolder,
        });
        const own = await candidate.acquire(signal);
        if (!own) return;
        term = own;
        const done = new AbortController();
        const renewing = candidate.renew(own, done.signal);
        const failure = await lead(lock, own, work, signal);
        done.abort();
        await renewing;
        const lost = own.signal.reason instanceof LeadershipLostError ? own.signal.reason : undefined;
        // Who was told to stop has time to give the Lease back. Who has lost it tries once: the process should end.
        if (releaseOnCancel) await candidate.release(lost ? 0 : durations.renewDeadline);
        if (lost && failure) log(`leader election ${name}: the work failed, too: ${describe(failure.error)}`);
        if (lost) throw lost;
        if (failure) throw failure.error;
      } finally {
        term = undefined;
        isRunning = false;
      }
    },
    isLeader: () => term?.isActive() ?? false,
    holdsLease: () => term?.holdsLease() ?? false,
    leader: () => leader,
    checkHealth({ tolerance = 20_000 } = {}) {
      if (!term || term.holdsLease()) return;
      const silent = term.sinceRenewal();
      if (silent <= durations.leaseDuration + tolerance) return;
      throw new Error(
        `leader election ${name}: the Lease was last renewed ${Math.round(silent / 1000)} s ago, and the work has not ended`,
      );
    },
  };
}

type Work = (signal: AbortSignal) => Promise<void> | void;

/** Nobody sees it: there is no work left to tell. */
const workEnded = new Error("the work has ended");

/** What functions throw that were given a signal: its reason, or (Node's own) an AbortError. */
const isAbort = (error: unknown, reason: unknown) =>
  error === reason || (error instanceof Error && (error.name === "AbortError" || error.cause === reason));
