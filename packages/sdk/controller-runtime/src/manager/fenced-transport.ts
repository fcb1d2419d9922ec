import type { Transport, TransportRequest } from "@operator-path/client";

/**
 * A transport that writes nothing once `reason` says why not: a reconciler that is held up, or does not look at its signal,
 * would otherwise act beside the next leader. Reads go on.
 */
export function createFencedTransport(transport: Transport, reason: () => Error | undefined): Transport {
  function check({ method }: TransportRequest): void {
    if (method === "GET" || method === "HEAD") return;
    const error = reason();
    if (error) throw error;
  }
  return {
    async request(request) {
      check(request);
      return transport.request(request);
    },
    async stream(request) {
      check(request);
      return transport.stream(request);
    },
    close: () => transport.close(),
  };
}
