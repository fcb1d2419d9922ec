import * as http from "node:http";
import * as https from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { toApiError } from "./api-error.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createConnections } from "./connections.ts";
import { createDeadline, type Deadline } from "./deadline.ts";

export interface TransportRequest {
  method: string;
  /** Path with a leading slash, without query. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Bytes are sent as they are; anything else as JSON. */
  body?: unknown;
  signal?: AbortSignal;
}

export interface TransportResponse<Body> {
  status: number;
  /** Lower-case names; repeated headers joined by ", ". */
  headers: Record<string, string>;
  body: Body;
}

export interface TransportOptions {
  /** What the server's audit log calls this program. Default "operator-path". */
  userAgent?: string;
  /**
   * Milliseconds without a byte after which a request counts as lost, as when the other end of a connection has vanished.
   * Streams have it until their headers arrive. Default 75,000: an API server answers, or gives up, within 60 s.
   */
  timeout?: number;
  clock?: Clock;
}

/**
 * Bytes to and from one API server, over HTTP/1.1 with kept-alive connections.
 *
 * Promises: both calls reject with ApiError on a status of 400 and above, with the signal's reason when it aborts, and
 * when the server stays silent; a stream's iteration throws when the connection breaks, and closes it when the consumer
 * stops early.
 * Does not promise: retries, but for a GET that met a kept-alive connection as the server closed it. Callers know what
 * else is safe to repeat.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse<Uint8Array>>;
  stream(request: TransportRequest): Promise<TransportResponse<AsyncIterable<Uint8Array>>>;
  /** Closes every connection; streams that are still open end with an error. */
  close(): Promise<void>;
}

/** @throws Error when the kubeconfig has no current cluster */
export function createTransport(kubeConfig: KubeConfig, options: TransportOptions = {}): Transport {
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster) {
    const context = kubeConfig.getCurrentContext();
    throw new Error(
      `the kubeconfig names no cluster for its current context ${JSON.stringify(context ?? "")}: set KUBECONFIG, or choose a context with kubectl config use-context`,
    );
  }
  const server = new URL(cluster.server);
  const secure = server.protocol === "https:";
  const { userAgent = "operator-path", timeout = 75_000, clock = systemClock } = options;
  const closed = new AbortController();
  const connections = createConnections({ secure, proxyUrl: cluster.proxyUrl });

  /** Asked for at each request, since tokens and exec plugins rotate. Not part of the timeout: a person may have to log in. */
  async function credentials(): Promise<https.RequestOptions> {
    const auth: https.RequestOptions = {};
    await kubeConfig.applyToHTTPSOptions(auth);
    return auth;
  }

  async function open(
    request: TransportRequest,
    auth: https.RequestOptions,
    deadline: Deadline,
  ): Promise<http.IncomingMessage> {
    const agent = connections.agentFor(auth);
    const body = encode(request.body);
    const url = new URL(server);
    url.pathname = server.pathname.replace(/\/$/, "") + request.path;
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: http.OutgoingHttpHeaders = {
      accept: "application/json",
      "user-agent": userAgent,
      ...(auth.headers as http.OutgoingHttpHeaders),
      ...(body ? { "content-type": "application/json", "content-length": body.byteLength } : {}),
      ...request.headers,
    };
    const signals = [closed.signal, deadline.signal, ...(request.signal ? [request.signal] : [])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    const send = (again: boolean) =>
      new Promise<http.IncomingMessage>((resolve, reject) => {
        const outgoing = (secure ? https : http).request(
          url,
          { method: request.method, headers, agent, auth: auth.auth ?? undefined, signal },
          resolve,
        );
        outgoing.on("error", (error: NodeJS.ErrnoException) => {
          const wasClosed = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
          if (signal.aborted) reject(reasonOf(signal, request, server));
          else if (wasClosed && again && request.method === "GET") send(false).then(resolve, reject);
          else reject(named(error, request, server));
        });
        outgoing.end(body);
      });
    return send(true);
  }

  function reasonOf(signal: AbortSignal, request: TransportRequest, to: URL): unknown {
    const byCaller = request.signal?.aborted || closed.signal.aborted;
    return byCaller ? signal.reason : named(signal.reason, request, to);
  }

  async function read(
    response: http.IncomingMessage,
    request: TransportRequest,
    deadline: Deadline,
  ): Promise<Uint8Array> {
    try {
      return await readAll(response, deadline.extend);
    } catch (error) {
      request.signal?.throwIfAborted();
      closed.signal.throwIfAborted();
      throw named(deadline.signal.aborted ? deadline.signal.reason : error, request, server);
    }
  }

  const deadlineOf = () => createDeadline(clock, timeout, `no answer for ${timeout / 1000} s`);

  async function respond(
    request: TransportRequest,
    auth: https.RequestOptions,
    deadline: Deadline,
  ): Promise<http.IncomingMessage> {
    const response = await open(request, auth, deadline);
    if ((response.statusCode ?? 0) < 400) return response;
    const body = await read(response, request, deadline);
    throw toApiError(response.statusCode ?? 0, headersOf(response), body, request);
  }

  return {
    async request(request) {
      const auth = await credentials();
      const deadline = deadlineOf();
      try {
        const response = await respond(request, auth, deadline);
        const body = await read(response, request, deadline);
        return { status: response.statusCode ?? 0, headers: headersOf(response), body };
      } finally {
        deadline.clear();
      }
    },
    async stream(request) {
      const auth = await credentials();
      const deadline = deadlineOf();
      try {
        const response = await respond(request, auth, deadline);
        response.socket.setNoDelay(true);
        return { status: response.statusCode ?? 0, headers: headersOf(response), body: response };
      } finally {
        deadline.clear();
      }
    },
    async close() {
      closed.abort(new Error("the client was closed"));
      connections.close();
    },
  };
}

function encode(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
}

async function readAll(response: http.IncomingMessage, onBytes: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) {
    onBytes();
    chunks.push(chunk as Uint8Array);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

function headersOf(response: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

/** A socket's error says ECONNREFUSED and little else: name the request and the server. */
function named(error: unknown, request: TransportRequest, server: URL): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  const detail = cause.message || (cause as NodeJS.ErrnoException).code || cause.name;
  return Object.assign(new Error(`${request.method} ${server.origin}${request.path}: ${detail}`, { cause }), {
    code: (cause as NodeJS.ErrnoException).code,
  });
}
