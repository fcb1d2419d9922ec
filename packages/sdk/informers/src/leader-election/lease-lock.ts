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
  /** A leader had to read the Lease before it could renew it. */
  onSlowPath?(): void;
}

/** What one try came to. */
export type Attempt =
  /** Ours, by a request that was sent then. */
  | { holder: "self"; sentAt: Instant }
  /** Another's, or (for who thought it was theirs) nobody's. */
  | { holder: "other"; identity: string };

/**
 * One Lease, as a lock (client-go: LeaseLock and tryAcquireOrRenew).
 *
 * Times in the Lease are for people: another machine wrote them. What counts is how long ago, by this machine's steady
 * clock, the Lease was first seen as it is; and that a write only succeeds on what was seen (resourceVersion).
 */
export interface LeaseLock {
  /** Rejects when a request failed; the Lease may have been written all the same. */
  acquireOrRenew(signal: AbortSignal): Promise<Attempt>;
  /** Whoever waits for the Lease can have it at once. Does nothing to a Lease that is another's. */
  release(signal: AbortSignal): Promise<void>;
  /** Whom the Lease named when it was last seen; "" for nobody. */
  holder(): string;
  /** Of the Lease when it was last seen, for Events about it. */
  metadata(): ObjectMeta;
}

type LeaseSpec = NonNullable<Lease["spec"]>;

export function createLeaseLock(client: Client, options: LeaseLockOptions): LeaseLock {
  const { lease: at, identity, labels, clock, stopwatch } = options;
  const resource = client.resource(leases).namespace(at.namespace);
  // Rounded up: the API knows whole seconds, and others are to wait no shorter than this candidate counts on.
  const leaseDurationSeconds = Math.ceil(options.leaseDuration / 1000);
  let seen: { lease: Lease; record: string; at: Instant } | undefined;

  const holderOf = (lease: Lease) => lease.spec?.holderIdentity ?? "";
  const isOwn = () => seen !== undefined && holderOf(seen.lease) === identity;

  /** What others write when nothing but time has passed changes this: renewTime does. Labels and the like do not. */
  const recordOf = ({ metadata, spec }: Lease) => JSON.stringify([metadata?.uid, spec]);

  function observe(lease: Lease): void {
    const record = recordOf(lease);
    seen = { lease, record, at: seen?.record === record ? seen.at : stopwatch.now() };
  }

  /** Nobody has written for as long as the holder asked to be waited for. */
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

  /** Resolves with undefined when there is no such Lease. */
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
      // Most renewals: nobody else has written since, so the last answer is all there is to know.
      if (wasOwn && !isExpired()) {
        try {
          return { holder: "self", sentAt: await put(recordToWrite(), signal) };
        } catch (error) {
          // Any other failure says nothing about the Lease: the next try begins here again.
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
          // An earlier renewal whose answer was lost, or somebody's label: what the Lease says then decides.
          if (!isConflict(error)) throw error;
          if (!(await read(signal))) return;
        }
      }
    },
  };
}
