/** Milliseconds. client-go: LeaseDuration, RenewDeadline and RetryPeriod of LeaderElectionConfig. */
export interface ElectionDurations {
  /** How long others wait, after they last saw the Lease change, before they take it. Default 15,000; at least 1,000: a Lease counts seconds. */
  leaseDuration: number;
  /** How long a leader acts without having renewed. Default 10,000. */
  renewDeadline: number;
  /**
   * Between two tries. Candidates add up to `jitterFactor` times as much, so that they do not come in step. Default 2,000;
   * at least 100: each is a request.
   */
  retryPeriod: number;
}

/** client-go: JitterFactor. */
export const jitterFactor = 1.2;

const defaults: ElectionDurations = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };

/** Less was meant as seconds. */
const least: ElectionDurations = { leaseDuration: 1_000, renewDeadline: 100, retryPeriod: 100 };

/** @throws RangeError naming the field that does not fit, and to what */
export function electionDurations(given: Partial<ElectionDurations>): ElectionDurations {
  const {
    leaseDuration = defaults.leaseDuration,
    renewDeadline = defaults.renewDeadline,
    retryPeriod = defaults.retryPeriod,
  } = given;
  const durations: ElectionDurations = { leaseDuration, renewDeadline, retryPeriod };
  for (const name of ["leaseDuration", "renewDeadline", "retryPeriod"] as const) {
    const value = durations[name];
    if (!Number.isFinite(value) || value < least[name]) {
      throw new RangeError(
        `${name} is ${value}: durations are milliseconds, this one at least ${least[name]}`,
      );
    }
  }
  if (leaseDuration <= renewDeadline)
    throw new RangeError(
      `leaseDuration (${leaseDuration} ms) has to be longer than renewDeadline (${renewDeadline} ms): a leader has to stop before others begin`,
    );
  if (renewDeadline <= retryPeriod * jitterFactor)
    throw new RangeError(
      `renewDeadline (${renewDeadline} ms) has to be longer than retryPeriod × ${jitterFactor} (${retryPeriod * jitterFactor} ms): a leader needs time for a second try`,
    );
  return durations;
}
