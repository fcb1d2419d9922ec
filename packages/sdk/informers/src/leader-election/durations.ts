/**
 * Durations in milliseconds (client-go: LeaseDuration, RenewDeadline and RetryPeriod of
 * LeaderElectionConfig).
 */
export interface ElectionDurations {
  /**
   * How long a candidate waits after the last change of the Lease before it takes over. Default 15,000; at
   * least 1,000, because a Lease counts in seconds.
   */
  leaseDuration: number;
  /** How long a leader acts without a renewal. Default 10,000. */
  renewDeadline: number;
  /**
   * Time between two attempts. Candidates add up to `jitterFactor` times as much, so that they do not retry
   * in step. Default 2,000; at least 100, because each attempt is a request.
   */
  retryPeriod: number;
}

/** client-go: JitterFactor. */
export const jitterFactor = 1.2;

const defaults: ElectionDurations = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

/** A smaller value was probably meant in seconds. */
const minimums: ElectionDurations = { leaseDuration: 1_000, renewDeadline: 100, retryPeriod: 100 };

/** Returns the durations with defaults filled in. @throws RangeError with the invalid field and its limit */
export function electionDurations(given: Partial<ElectionDurations>): ElectionDurations {
  const {
    leaseDuration = defaults.leaseDuration,
    renewDeadline = defaults.renewDeadline,
    retryPeriod = defaults.retryPeriod,
  } = given;
  const durations: ElectionDurations = { leaseDuration, renewDeadline, retryPeriod };
  for (const name of ["leaseDuration", "renewDeadline", "retryPeriod"] as const) {
    const value = durations[name];
    if (!Number.isFinite(value) || value < minimums[name]) {
      throw new RangeError(
        `${name} is ${value}: durations are in milliseconds; this one must be at least ${minimums[name]}`,
      );
    }
  }
  if (leaseDuration <= renewDeadline)
    throw new RangeError(
      `leaseDuration (${leaseDuration} ms) must be longer than renewDeadline (${renewDeadline} ms): a leader must stop before the next one starts`,
    );
  if (renewDeadline <= retryPeriod * jitterFactor)
    throw new RangeError(
      `renewDeadline (${renewDeadline} ms) must be longer than retryPeriod × ${jitterFactor} (${retryPeriod * jitterFactor} ms): a leader needs time for a second attempt`,
    );
  return durations;
}
