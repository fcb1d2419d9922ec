import {
  type Client,
  type Clock,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Lease,
  leases,
  type ObjectMeta,
} from "@operator-path/client";
import { microTime } from "../micro-time.ts";
import type { Instant, Stopwatch } from "./stopwatch.ts";

export interface LeaseLockOptions {
  lease: { namespace: string; name: string };
  identity: string;
  leaseDuration: number;
  labels?: Record<string, string>;
  clock: Clock;
  stopwatch: Stopwatch;
  /** Called when a leader had to read the Lease before it could renew it. */
  onSlowPath?(): void;
}

/** The result of one attempt. */
export type Attempt =
  /** This candidate holds the Lease, by a request sent at `sentAt`. */
  | { holder: "self"; sentAt: Instant }
  /**
   * Another candidate holds the Lease. `identity` is "" if a former leader finds that the Lease has no
   * holder.
   */
  | { holder: "other"; identity: string };

/**
 * Uses one Lease as a lock (client-go: LeaseLock and tryAcquireOrRenew).
 *
 * Times in the Lease are only for people, because other machines wrote them. Two facts decide: how long ago
 * this candidate first saw the Lease in its current state, by its own steady clock; and that a write succeeds
 * only on that state (resourceVersion).
 */
export interface LeaseLock {
  /**
   * Acquires or renews the Lease. Rejects when a request fails; the server may have written the Lease all the
   * same.
   */
  acquireOrRenew(signal: AbortSignal): Promise<Attempt>;
  /**
   * Clears the holder, so that the next candidate can take the Lease at once. Does nothing if another
   * candidate holds it.
   */
  release(signal: AbortSignal): Promise<void>;
  /** Returns the last known holder, or "". */
  holder(): string;
  /** Returns the last known metadata of the Lease, for Events about it. */
  metadata(): ObjectMeta;
}

type LeaseSpec = NonNullable<Lease["spec"]>;

export function createLeaseLock(client: Client, options: LeaseLockOptions): LeaseLock {
  const { lease: at, identity, labels, clock, stopwatch } = options;
  const resource = client.resource(leases).namespace(at.namespace);
  // Rounded up: the API uses whole seconds, and others must not wait for less than this candidate's duration.
  const leaseDurationSeconds = Math.ceil(options.leaseDuration / 1000);
  let seen: { lease: Lease; record: string; at: Instant } | undefined;

  const holderOf = (lease: Lease) => lease.spec?.holderIdentity ?? "";
  const isOwn = () => seen !== undefined && holderOf(seen.lease) === identity;

  /** Identifies a state of the Lease. A renewal changes it through renewTime. A label does not change it. */
  const recordOf = ({ metadata, spec }: Lease) => JSON.stringify([metadata?.uid, spec]);

  function observe(lease: Lease): void {
    const record = recordOf(lease);
    seen = { lease, record, at: seen?.record === record ? seen.at : stopwatch.now() };
  }

  /** Returns whether the Lease has not changed for the duration that its holder set. */
  function isExpired(): boolean {
    if (!seen) return false;
    const seconds = seen.lease.spec?.leaseDurationSeconds || leaseDurationSeconds;
    return stopwatch.atLeastSince(seen.at) >= seconds * 1000;
  }

  function recordToWrite(): LeaseSpec {
    const now = microTime(clock.now());
    const { acquireTime, leaseTransitions = 0 } = seen?.lease.spec ?? {};
    return {
      holderIdentity: identity,
      leaseDurationSeconds,
      renewTime: now,
      acquireTime: isOwn() ? acquireTime : now,
      leaseTransitions: isOwn() || !seen ? leaseTransitions : leaseTransitions + 1,
    };
  }

  async function put(spec: LeaseSpec, signal: AbortSignal): Promise<Instant> {
    const sentAt = stopwatch.now();
    const { metadata } = seen?.lease ?? {};
    const withLabels = labels ? { ...metadata, labels: { ...metadata?.labels, ...labels } } : metadata;
    observe(await resource.update({ metadata: withLabels, spec }, { signal }));
    return sentAt;
  }

  async function create(signal: AbortSignal): Promise<Instant> {
    const sentAt = stopwatch.now();
    seen = undefined;
    observe(await resource.create({ metadata: { ...at, labels }, spec: recordToWrite() }, { signal }));
    return sentAt;
  }

  /** Resolves with undefined if the Lease does not exist. */
  async function read(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      const lease = await resource.get(at.name, { signal });
      observe(lease);
      return lease;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    holder: () => (seen ? holderOf(seen.lease) : ""),
    metadata: () => ({ ...at, ...seen?.lease.metadata }),

    async acquireOrRenew(signal) {
      const wasOwn = isOwn();
      // The common renewal: the Lease has not changed since the last answer, so it need not be read first.
      if (wasOwn && !isExpired()) {
        try {
          return { holder: "self", sentAt: await put(recordToWrite(), signal) };
        } catch (error) {
          // Other failures say nothing about the Lease. The next attempt starts here again.
          if (!isConflict(error) && !isNotFound(error)) throw error;
        }
      }
      if (!(await read(signal))) {
        try {
          return { holder: "self", sentAt: await create(signal) };
        } catch (error) {
          if (!isAlreadyExists(error)) throw error;
          await read(signal);
        }
      }
      const holder = seen ? holderOf(seen.lease) : "";
      if (holder === identity) {
        if (wasOwn) options.onSlowPath?.();
      } else if (wasOwn || (holder !== "" && !isExpired())) return { holder: "other", identity: holder };
      return { holder: "self", sentAt: await put(recordToWrite(), signal) };
    },

    async release(signal) {
      while (isOwn()) {
        const now = microTime(clock.now());
        const { leaseTransitions } = seen?.lease.spec ?? {};
        const spec = {
          holderIdentity: "",
          leaseDurationSeconds: 1,
          renewTime: now,
          acquireTime: now,
          leaseTransitions,
        };
        try {
          await put(spec, signal);
        } catch (error) {
          // The answer to an earlier renewal was lost, or another client set a label. Read the Lease and
          // decide again.
          if (!isConflict(error)) throw error;
          if (!(await read(signal))) return;
        }
      }
    },
  };
}
