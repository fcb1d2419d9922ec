import type { Clock } from "./clock.ts";
import type { ConnectRequest, Transport, TransportRequest } from "./transport.ts";

/** Configures `createThrottledTransport`. */
export interface ThrottleOptions {
  /** Requests per second in the long run, above 0. */
  readonly qps: number;
  /** Requests that may be sent at once after a pause, at least 1. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * Returns a transport that delays requests to the rate of a token bucket (client-go: rest.Config's QPS and
 * Burst). Requests are sent in the order of the calls. The request's signal and `close` end the wait.
 *
 * @throws RangeError when `qps` or `burst` is out of range
 */
export function createThrottledTransport(
  transport: Transport,
  { qps, burst, clock }: ThrottleOptions,
): Transport {
  if (!(qps > 0)) throw new RangeError(`qps is ${qps} (expected a number above 0; omit qps for no limit)`);
  if (!(burst >= 1)) throw new RangeError(`burst is ${burst} (expected a number of at least 1)`);
  const interval = 1000 / qps;
  const closing = new AbortController();
  /**
   * When the next token is available. If that is in the past, one token is available per interval since then.
   */
  let next = Number.NEGATIVE_INFINITY;

  async function turn({ signal }: Pick<TransportRequest, "signal">): Promise<void> {
    const now = clock.steady();
    const mine = Math.max(next, now - (burst - 1) * interval);
    next = mine + interval;
    if (mine <= now) return;
    const stopping = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    await clock.sleep(mine - now, stopping).catch((error: unknown) => {
      // When closed, the transport below rejects the request itself, with its RequestError.
      if (!closing.signal.aborted) throw error;
    });
  }

  const { connect } = transport;
  return {
    async request(request) {
      await turn(request);
      return transport.request(request);
    },
    async stream(request) {
      await turn(request);
      return transport.stream(request);
    },
    ...(connect && {
      async connect(request: ConnectRequest) {
        await turn(request);
        return connect(request);
      },
    }),
    async close() {
      closing.abort();
      await transport.close();
    },
  };
}
