import type { ConnectRequest, Transport, TransportRequest } from "@operator-path/client";

/**
 * A transport that writes nothing once `reason` says why not: a reconciler that is held up, or does not look at its signal,
 * would otherwise act beside the next leader. Reads go on.
 */
export function createFencedTransport(transport: Transport, reason: () => Error | undefined): Transport {
  function check({ method }: Pick<TransportRequest, "method">): void {
    if (method === "GET" || method === "HEAD") return;
    const error = reason();
    if (error) throw error;
  }
  const { connect } = transport;
  return {
    async request(request) {
      check(request);
      return transport.request(request);
    },
    async stream(request) {
      check(request);
      return transport.stream(request);
    },
    // A command may change anything, and the API's own verb for all of these is create.
    ...(connect && {
      async connect(request: ConnectRequest) {
        check({ method: "POST" });
        return connect(request);
      },
    }),
    close: () => transport.close(),
  };
}
