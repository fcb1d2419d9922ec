import { ApiError, type Lease, type Transport, type TransportRequest } from "@operator-path/client";

/** What happens to a request. Delays are milliseconds of true time. A "lost" message never arrives. */
export interface Delivery {
  /** Delay until the server receives the request. */
  request: number | "lost";
  /** The server answers with this status and does nothing else. */
  refuse?: number;
  /** Retry-After of a refusal, in seconds. Default: 20 with a 429. */
  retryAfter?: number;
  /** Delay of the answer. */
  answer: number | "lost";
}

export interface LeaseServer {
  lease(): Lease | undefined;
  /** Changes the Lease as another client would, without a network. */
  write(change: (lease: Lease) => void): void;
  remove(): void;
  /** Every request that the server has processed, in order. */
  readonly requests: { method: string; body?: Lease }[];
  /** Returns a client's connection. `delay` runs a callback after a number of milliseconds of true time. */
  transport(network: {
    delivery(request: TransportRequest): Delivery;
    delay(milliseconds: number, callback: () => void): void;
    /** Runs a callback in the client's process: later, if that process is paused. */
    deliver?(callback: () => void): void;
  }): Transport;
}

/**
 * Stores one Lease in memory as an API server does: with optimistic concurrency, in the order in which
 * requests arrive.
 */
export function createLeaseServer(): LeaseServer {
  let lease: Lease | undefined;
  let version = 100;
  const requests: { method: string; body?: Lease }[] = [];

  function store(next: Lease): Lease {
    const before =
      lease && JSON.stringify({ ...lease, metadata: { ...lease.metadata, resourceVersion: "" } });
    const after = JSON.stringify({ ...next, metadata: { ...next.metadata, resourceVersion: "" } });
    // A write without a change keeps the resourceVersion.
    if (lease && before === after) return lease;
    lease = { ...next, metadata: { ...next.metadata, resourceVersion: String(++version) } };
    return lease;
  }

  function answer({ method, body }: TransportRequest): Lease {
    const sent = body ? (JSON.parse(JSON.stringify(body)) as Lease) : undefined;
    requests.push({ method, ...(sent && { body: sent }) });
    if (method === "POST" && sent) {
      if (lease) throw status(409, "AlreadyExists");
      return store({ ...sent, metadata: { ...sent.metadata, uid: `uid-${++version}` } });
    }
    if (!lease) throw status(404, "NotFound");
    if (method === "PUT" && sent) {
      if (sent.metadata?.resourceVersion !== lease.metadata?.resourceVersion) throw status(409, "Conflict");
      return store(sent);
    }
    return lease;
  }

  return {
    requests,
    lease: () => lease,
    write(change) {
      const copy = structuredClone(lease ?? {});
      change(copy);
      store(copy);
    },
    remove() {
      lease = undefined;
    },
    transport: ({ delivery, delay, deliver = (callback) => callback() }) => ({
      request: (request) =>
        new Promise((resolve, reject) => {
          const { signal } = request;
          if (signal?.aborted) return reject(signal.reason);
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
          const way = delivery(request);
          if (way.request === "lost") return;
          const settle = (callback: () => void) => {
            if (way.answer !== "lost") delay(way.answer, () => deliver(callback));
          };
          delay(way.request, () => {
            try {
              if (way.refuse)
                throw status(way.refuse, reasons[way.refuse] ?? "InternalError", way.retryAfter);
              const text = JSON.stringify(answer(request));
              settle(() => resolve({ status: 200, headers: {}, body: Buffer.from(text) }));
            } catch (error) {
              settle(() => reject(error));
            }
          });
        }),
      stream: () => Promise.reject(new Error("a Lease is not watched")),
      close: () => Promise.resolve(),
    }),
  };
}

const reasons: Record<number, string> = {
  401: "Unauthorized",
  403: "Forbidden",
  409: "Conflict",
  429: "TooManyRequests",
};

function status(code: number, reason: string, retryAfterSeconds = code === 429 ? 20 : undefined): ApiError {
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code,
    reason,
    message: `${code} ${reason}`,
    ...(retryAfterSeconds && { details: { retryAfterSeconds } }),
  });
}
