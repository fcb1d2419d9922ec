import * as http from "node:http";
import * as https from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { toApiError } from "./api-error.ts";

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

/**
 * Bytes to and from one API server, over HTTP/1.1 with kept-alive connections from one agent.
 *
 * Promises: both calls reject with ApiError on a status of 400 and above, and with the signal's reason when it aborts;
 * a stream's iteration throws when the connection breaks, and closes it when the consumer stops early.
 * Does not promise: retries. Callers know what is safe to repeat.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse<Uint8Array>>;
  stream(request: TransportRequest): Promise<TransportResponse<AsyncIterable<Uint8Array>>>;
  /** Closes every connection; streams that are still open end with an error. */
  close(): Promise<void>;
}

/** @throws Error when the kubeconfig has no current cluster */
export function createTransport(kubeConfig: KubeConfig, options: { userAgent?: string } = {}): Transport {
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster) {
    const context = kubeConfig.getCurrentContext();
    throw new Error(
      `the kubeconfig names no cluster for its current context ${JSON.stringify(context ?? "")}: set KUBECONFIG, or choose a context with kubectl config use-context`,
    );
  }
  const server = new URL(cluster.server);
  const secure = server.protocol === "https:";
  const userAgent = options.userAgent ?? "operator-path";
  const closed = new AbortController();
  let agent: http.Agent | undefined;

  // Credentials are asked for at each request, since tokens and exec plugins rotate; the agent is made once.
  async function open(request: TransportRequest): Promise<http.IncomingMessage> {
    const auth: https.RequestOptions = {};
    await kubeConfig.applyToHTTPSOptions(auth);
    const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = auth;
    agent ??= secure
      ? new https.Agent({ keepAlive: true, ca, cert, key, pfx, passphrase, rejectUnauthorized, servername })
      : new http.Agent({ keepAlive: true });

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
    const signal = request.signal ? AbortSignal.any([request.signal, closed.signal]) : closed.signal;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? https : http).request(
        url,
        { method: request.method, headers, agent, auth: auth.auth ?? undefined, signal },
        resolve,
      );
      outgoing.on("error", (error) => reject(signal.aborted ? signal.reason : named(error, request, server)));
      outgoing.end(body);
    });
  }

  async function respond(request: TransportRequest): Promise<http.IncomingMessage> {
    const response = await open(request);
    if ((response.statusCode ?? 0) < 400) return response;
    const body = await readAll(response);
    throw toApiError(response.statusCode ?? 0, headersOf(response), body, request);
  }

  return {
    async request(request) {
      const response = await respond(request);
      const body = await readAll(response).catch((error: unknown) => {
        request.signal?.throwIfAborted();
        throw named(error, request, server);
      });
      return { status: response.statusCode ?? 0, headers: headersOf(response), body };
    },
    async stream(request) {
      const response = await respond(request);
      response.socket.setNoDelay(true);
      return { status: response.statusCode ?? 0, headers: headersOf(response), body: response };
    },
    async close() {
      closed.abort(new Error("the client was closed"));
      agent?.destroy();
    },
  };
}

function encode(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
}

async function readAll(response: http.IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk as Uint8Array);
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
