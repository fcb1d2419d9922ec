import { ApiError, createClientOn, type KubeObject, type TransportRequest } from "@operator-path/client";

/** A fault for a request. "answer lost": the server processes the request, but the client gets no answer. */
export type Fault = "refused connection" | "answer lost" | 429 | 500;

interface StoredEvent extends KubeObject {
  count?: number;
  series?: { count: number };
}

/**
 * Stores Events as an API server does, as far as recorders use it. It keeps Events of both APIs as they were
 * sent.
 */
export function createEventStore(fault: (request: TransportRequest) => Fault | undefined = () => undefined) {
  const events = new Map<string, StoredEvent>();
  const requests: { method: string; path: string; body: unknown }[] = [];

  function answer({ method, path, body }: TransportRequest): StoredEvent {
    const sent = JSON.parse(JSON.stringify(body)) as StoredEvent;
    requests.push({ method, path, body: sent });
    const name = method === "POST" ? (sent.metadata?.name ?? "") : (path.split("/").at(-1) ?? "");
    const old = events.get(name);
    if (method === "POST" && old) throw status(409, "AlreadyExists");
    if (method === "PATCH" && !old) throw status(404, "NotFound");
    const event = { ...old, ...sent };
    events.set(name, event);
    return event;
  }

  const client = createClientOn({
    async request(request) {
      const what = fault(request);
      if (what === "refused connection") throw new Error("connection refused");
      if (what === 429) throw status(429, "TooManyRequests");
      if (what === 500) throw status(500, "InternalError");
      const event = answer(request);
      if (what === "answer lost") throw new Error("the connection broke");
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(event)) };
    },
    stream: () => Promise.reject(new Error("no streams here")),
    close: () => Promise.resolve(),
  });

  return {
    client,
    requests,
    list: () => [...events.values()],
    /** Returns the total count of all Events. */
    sum: () =>
      [...events.values()].reduce((sum, { count, series }) => sum + (count ?? series?.count ?? 1), 0),
    /** A real server deletes Events after an hour. */
    expire: () => events.clear(),
  };
}

function status(code: number, reason: string): ApiError {
  return new ApiError({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: reason });
}
