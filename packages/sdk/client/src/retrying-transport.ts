import { type Clock, systemClock } from "./clock.ts";
import { ApiError } from "./errors.ts";
import type { Transport, TransportRequest } from "./transport.ts";

/** Configures `createRetryingTransport`. */
export interface RetryOptions {
  /** Default: `systemClock`. */
  clock?: Clock | undefined;
  /** Ends every wait; the request then rejects with its reason. `close` ends every wait as well. */
  signal?: AbortSignal | undefined;
}

const maxRetries = 10;
/** Milliseconds. If the wait would be longer, the caller receives the error and decides. */
const longestWait = 60_000;

/**
 * Returns a transport that repeats a request when the server answers with `Retry-After`, up to ten times,
 * each after the time in that header (client-go: rest.Request's withRetry).
 *
 * Retries 429 for any verb, and 5xx unless the request is a POST, which the server may have carried out. Does
 * not retry when the server asks for more than 60 s.
 */
export function createRetryingTransport(transport: Transport, options: RetryOptions = {}): Transport {
  const { clock = systemClock } = options;
  const closing = new AbortController();
  const stopping = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;

  async function withRetries<R>(request: TransportRequest, send: () => Promise<R>): Promise<R> {
    const { signal } = request;
    for (let retries = 0; ; retries++) {
      try {
        return await send();
      } catch (error) {
        const wait = waitOf(error, request);
        if (wait === undefined || retries === maxRetries) throw error;
        await clock
          .sleep(wait, signal ? AbortSignal.any([signal, stopping]) : stopping)
          .catch((reason: unknown) => {
            // When closed, the transport below rejects the request itself, with its RequestError.
            if (!closing.signal.aborted) throw reason;
          });
      }
    }
  }

  const { connect } = transport;
  return {
    request: (request) => withRetries(request, () => transport.request(request)),
    stream: (request) => withRetries(request, () => transport.stream(request)),
    // Treated as a POST: a server that fails with 5xx may have started the command.
    ...(connect && {
      connect: (request) => withRetries({ ...request, method: "POST" }, () => connect(request)),
    }),
    async close() {
      closing.abort();
      await transport.close();
    },
  };
}

function waitOf(error: unknown, { method }: TransportRequest): number | undefined {
  if (!(error instanceof ApiError) || error.retryAfter === undefined || error.retryAfter > longestWait) {
    return undefined;
  }
  const isRetriable = error.code === 429 || (error.code >= 500 && method !== "POST");
  return isRetriable ? error.retryAfter : undefined;
}
