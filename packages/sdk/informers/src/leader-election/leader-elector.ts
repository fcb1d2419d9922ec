import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Client, type Clock, type ObjectMeta, systemClock } from "@operator-path/client";
import { describe, guardLog } from "../describe.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { MetricDefinition, MetricsProvider } from "../metrics.ts";
import { createCandidate } from "./candidate.ts";
import { type ElectionDurations, electionDurations } from "./durations.ts";
import { createLeaseLock, type LeaseLock } from "./lease-lock.ts";
import { createStopwatch } from "./stopwatch.ts";
import { LeadershipLostError, type Term } from "./term.ts";

/**
 * Metrics of leader election under the names that existing dashboards use (component-base,
 * controller-runtime). The label `name` is the name of the Lease.
 */
export const leaderElectionMetrics = {
  masterStatus: {
    name: "leader_election_master_status",
    help: "Whether this process leads: 1 from the moment it acquires the Lease until its work is asked to stop, otherwise 0. Group by name",
    type: "gauge",
    labels: ["name"],
  },
  slowPath: {
    name: "leader_election_slowpath_total",
    help: "Total number of renewals that had to read the Lease first, because another client had written it. Group by name",
    type: "counter",
    labels: ["name"],
  },
} as const satisfies Record<string, MetricDefinition>;

/** All durations are in milliseconds. */
export interface LeaderElectorOptions extends Partial<ElectionDurations> {
  /** Created if missing. All candidates for the same work use the same Lease. */
  lease: { namespace: string; name: string };
  /**
   * Must be unique per process, or two processes lead at once. Default: host name and a random UUID, as in
   * controller-runtime.
   */
  identity?: string | undefined;
  /**
   * Release the Lease when the work has ended, so that the next leader need not wait for it to expire.
   * Default true.
   */
  releaseOnCancel?: boolean | undefined;
  /** Labels to set on the Lease. */
  labels?: Record<string, string> | undefined;
  /** Called with each new holder, this candidate included. "" means that the Lease has no holder. */
  onNewLeader?(identity: string): void;
  /** Records "<identity> became leader" and "… stopped leading" as Events about the Lease. */
  recorder?: EventRecorder | undefined;
  /** Receives `leaderElectionMetrics`. */
  metrics?: MetricsProvider | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /**
   * Receives the start and the end of leadership, and failures that will be retried. Default: a line on
   * stderr.
   */
  log?(line: string): void;
}

/**
 * Lets one of several processes do the work (client-go: LeaderElector on a LeaseLock).
 *
 * Promises: a leader's work is asked to stop before another candidate becomes leader. This holds through
 * failures of the network and the API server, blocked event loops, stopped processes, sleeping machines and
 * changes of wall clocks. It requires that steady clocks differ in speed by less than leaseDuration /
 * renewDeadline, and that no wall clock is set back during a machine's sleep or just before it (README).
 *
 * Does not promise fencing. A request that was sent in time may arrive late, and work that ignores its signal
 * continues. If something must not happen twice, put a precondition (resourceVersion, UID) into its request.
 * Editing or deleting the Lease by hand also breaks the promise.
 */
export interface LeaderElector {
  /**
   * Waits for the Lease, then calls `work`. Resolves when the work has ended, or when `signal` aborts before
   * it starts. Can be called again afterwards.
   *
   * The work's signal aborts for two reasons. When `signal` aborts, it aborts with the same reason; the Lease
   * is kept until the work has ended, and then released. When leadership is lost, it aborts at once.
   *
   * Rejects with LeadershipLostError after the work has ended, if leadership was lost. End the process then,
   * so that a new one starts with fresh caches. Rejects with the error of the work, if it throws.
   */
  run(work: (signal: AbortSignal) => Promise<void> | void, signal: AbortSignal): Promise<void>;
  /**
   * Returns whether this candidate leads, by the clock. It is false once the renew deadline has passed, even
   * if no timer has run since.
   */
  isLeader(): boolean;
  /**
   * Like `isLeader`, but also true while work that was asked to stop has not ended: the Lease is kept for it.
   * Use this in the final steps of the work.
   */
  holdsLease(): boolean;
  /**
   * Returns the last known holder of the Lease, for people. "" without a holder, or before the first request.
   */
  leader(): string;
  /**
   * Checks the leader for /healthz (client-go: HealthzAdaptor). Throws if leadership was lost and the work
   * has continued for more than leaseDuration + `tolerance` (default 20,000 ms) since the last renewal.
   * Another leader may be active by then, so let the kubelet restart this process.
   */
  checkHealth(options?: { tolerance?: number }): void;
}

/** @throws RangeError or TypeError with the name of the invalid option */
export function createLeaderElector(client: Client, options: LeaderElectorOptions): LeaderElector {
  const durations = electionDurations(options);
  const { lease, labels, metrics, recorder, releaseOnCancel = true, onNewLeader } = options;
  const { identity = `${hostname()}_${randomUUID()}`, clock = systemClock, random = Math.random } = options;
  const log = guardLog(options.log ?? ((line) => console.error(line)));
  for (const field of ["namespace", "name"] as const) {
    if (!lease[field])
      throw new TypeError(`lease.${field} is empty: name the Lease that candidates compete for`);
  }
  if (!identity) throw new TypeError("identity is empty: each candidate needs a unique one");
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

  /**
   * Runs the work to its end, even if the term ends first. Resolves with the error of the work, if it threw
   * one.
   */
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
      // The work was asked to stop and threw the abort reason.
      if (!(own.signal.aborted && isAbort(error, own.signal.reason))) return { error };
    } finally {
      signal.removeEventListener("abort", stop);
      own.end(workEnded);
    }
    return undefined;
  }

  return {
    async run(work, signal) {
      if (isRunning) throw new Error(`this candidate for ${name} is already running`);
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
        // After a regular stop there is time to release the Lease. After a loss it tries once, because the
        // process should end.
        if (releaseOnCancel) await candidate.release(lost ? 0 : durations.renewDeadline);
        if (lost && failure) log(`leader election ${name}: the work also failed: ${describe(failure.error)}`);
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

/** Only marks the end of the term. The work has ended and does not see it. */
const workEnded = new Error("the work has ended");

/** A function throws the reason of its signal. Node's own functions throw an AbortError. */
const isAbort = (error: unknown, reason: unknown) =>
  error === reason || (error instanceof Error && (error.name === "AbortError" || error.cause === reason));
