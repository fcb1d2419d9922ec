import type { ConnectRequest, Transport, TransportRequest } from "@operator-path/client";

/**
 * Returns a transport that rejects writes once `reason` returns an error. Otherwise a reconciler that is
 * blocked, or ignores its signal, would act at the same time as the next leader. Reads still pass.
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
    // A command may change anything. The API's own verb for all of these is create.
    ...(connect && {
      async connect(request: ConnectRequest) {
        check({ method: "POST" });
        return connect(request);
      },
    }),
    close: () => transport.close(),
  };
}
