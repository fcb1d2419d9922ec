import { type Clock, systemClock } from "./clock.ts";
import { ApiError } from "./errors.ts";
import type { Transport, TransportRequest } from "./transport.ts";

export interface RetryOptions {
  /** Default: the system's. */
  clock?: Clock | undefined;
  /** Ends every wait; its reason is what the request rejects with. `close` ends them as well. */
  signal?: AbortSignal | undefined;
}

const maxRetries = 10;
/** Milliseconds. A caller that would have to wait for longer gets the error, and decides for itself. */
const longestWait = 60_000;

/**
 * Returns a transport that sends a request again when the server asks for it with `Retry-After`, up to ten times, after
 * the time that the server names (client-go: rest.Request's withRetry).
 *
 * Retries 429 of any verb, and 5xx unless the request is a POST, which the server may have carried out. Does not retry
 * when the server asks for more than 60 s.
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
            // The closed transport rejects the request itself, with its RequestError.
            if (!closing.signal.aborted) throw reason;
          });
      }
    }
  }

  const { connect } = transport;
  return {
    request: (request) => withRetries(request, () => transport.request(request)),
    stream: (request) => withRetries(request, () => transport.stream(request)),
    // As a POST: a server that fails with 5xx may have started the command.
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
