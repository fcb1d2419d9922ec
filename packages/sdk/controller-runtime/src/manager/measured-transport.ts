import { ApiError, type ConnectRequest, type Transport, type TransportRequest } from "@operator-path/client";
import type { Counter, MetricDefinition, MetricsProvider } from "@operator-path/informers";

/** client-go's request metric. */
export const requestMetric = {
  name: "rest_client_requests_total",
  help: "Number of HTTP requests, partitioned by status code, method, and host",
  type: "counter",
  labels: ["code", "method", "host"],
} as const satisfies MetricDefinition;

/** Returns a transport that counts answers by status code. "<error>" counts requests without an answer. */
export function createMeasuredTransport(
  transport: Transport,
  metrics: MetricsProvider,
  host: string,
): Transport {
  const counters = new Map<string, Counter>();

  function count(code: string, method: string): void {
    const key = `${method} ${code}`;
    let counter = counters.get(key);
    if (!counter) {
      counter = metrics.counter(requestMetric, { code, method, host });
      counters.set(key, counter);
    }
    counter.inc();
  }

  async function measured<R extends { status: number }>(
    { method, signal }: Pick<TransportRequest, "method" | "signal">,
    send: () => Promise<R>,
  ): Promise<R> {
    try {
      const response = await send();
      count(String(response.status), method);
      return response;
    } catch (error) {
      if (error instanceof ApiError) count(String(error.code), method);
      else if (!signal?.aborted) count("<error>", method);
      throw error;
    }
  }

  const { connect } = transport;
  return {
    request: (request) => measured(request, () => transport.request(request)),
    stream: (request) => measured(request, () => transport.stream(request)),
    ...(connect && {
      connect: (request: ConnectRequest) => measured({ ...request, method: "GET" }, () => connect(request)),
    }),
    close: () => transport.close(),
  };
}
