import { ApiError, type Clock, type Transport, type TransportRequest } from "@operator-path/client";

export interface PatientTransportOptions {
  clock: Clock;
  /** Nobody waits any longer. */
  stopping: AbortSignal;
}

/** How often a request is sent again. */
const longestRow = 10;
/** Milliseconds. Who is asked to wait for longer has better things to do meanwhile. */
const longestWait = 60_000;

/**
 * A transport that does what an overloaded server asks for: to come again later (client-go: rest.Request's withRetry). A
 * reconciler would otherwise fail, and be tried again in a few milliseconds. What may have been done all the same, a create
 * that was answered with 500 and above, is not sent again.
 */
export function createPatientTransport(
  transport: Transport,
  { clock, stopping }: PatientTransportOptions,
): Transport {
  async function patiently<R>(request: TransportRequest, send: () => Promise<R>): Promise<R> {
    const { signal } = request;
    for (let row = 0; ; row++) {
      try {
        return await send();
      } catch (error) {
        const wait = waitOf(error, request);
        if (wait === undefined || row === longestRow) throw error;
        await clock.sleep(wait, signal ? AbortSignal.any([signal, stopping]) : stopping);
      }
    }
  }

  return {
    request: (request) => patiently(request, () => transport.request(request)),
    stream: (request) => patiently(request, () => transport.stream(request)),
    close: () => transport.close(),
  };
}

function waitOf(error: unknown, { method }: TransportRequest): number | undefined {
  if (!(error instanceof ApiError) || error.retryAfter === undefined || error.retryAfter > longestWait) {
    return undefined;
  }
  const isRefused = error.code === 429 || (error.code >= 500 && method !== "POST");
  return isRefused ? error.retryAfter : undefined;
}
