import * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import { urlToHttpOptions } from "node:url";
import { type Clock, systemClock } from "./clock.ts";
import { createConnections } from "./connections.ts";
import { type FailedRequest, RequestError, toApiError } from "./errors.ts";
import { authenticationOf } from "./kube-config/authentication.ts";
import type { KubeConfig } from "./kube-config/kube-config.ts";
import { currentCluster } from "./load-kube-config.ts";
import { type Environment, proxyOf, throughProxy } from "./proxy.ts";
import { createRequestEnds, type RequestEnd } from "./request-end.ts";
import { chunksOf, headersOf, readBody } from "./response.ts";
import { requireNode } from "./run-bin.ts";
import { parseWarnings, type WarningHandler, warnOnce } from "./server-warning.ts";
import { openWebSocket } from "./web-socket.ts";

/** Query parameters. An array repeats the parameter; undefined leaves it out. */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** One request to the API server. */
export interface TransportRequest {
  method: string;
  /** The path, with a leading slash and without the query. */
  path: string;
  query?: Query;
  headers?: Record<string, string>;
  /** Bytes are sent unchanged. Any other value is sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
}

/** An answer with a status below 400. */
export interface TransportResponse<Body> {
  status: number;
  /** Names are in lower case. Repeated headers are joined with ", ". */
  headers: Record<string, string>;
  body: Body;
}

/** A request for a WebSocket (the API's verb CONNECT: exec, attach, port-forward). */
export interface ConnectRequest extends Omit<TransportRequest, "method" | "body"> {
  /** WebSocket subprotocols, in order of preference. */
  protocols: readonly string[];
}

/** An open WebSocket. */
export interface TransportConnection {
  /** Always 101. */
  status: number;
  /** The subprotocol that the server chose. */
  protocol: string;
  /** The request. Use it for errors of the protocol on this connection. */
  request: FailedRequest;
  /**
   * Each chunk that you read or write is one WebSocket message. The stream ends when the server closes the
   * WebSocket. It is destroyed with an error when the connection breaks or the request's signal aborts.
   * `destroy()` closes it.
   */
  socket: Duplex;
}

/** Configures `createTransport`. */
export interface TransportOptions {
  /** The name of this program in the server's audit log. Default "operator-path". */
  userAgent?: string | undefined;
  /**
   * Milliseconds without a byte after which a request counts as lost, for example because the other end of
   * the connection has vanished. For streams, it applies until the headers arrive. Default 75,000: an API
   * server answers or gives up within 60 s.
   */
  timeout?: number | undefined;
  /**
   * Milliseconds that the client waits for credentials, for example while an exec plugin waits for a login.
   * Default 300,000. After that, the client kills the plugin, and the next request starts it again.
   */
  credentialsTimeout?: number | undefined;
  clock?: Clock | undefined;
  /** The environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Default: `process.env`. */
  environment?: Environment | undefined;
  /**
   * Called for each warning of the server, such as an unknown field or a deprecated version. Default: writes
   * each distinct warning to stderr once, as kubectl does.
   */
  onWarning?: WarningHandler | undefined;
}

/**
 * Sends bytes to one API server and receives bytes, over HTTP/1.1 with kept-alive connections.
 *
 * All calls reject with ApiError on a status of 400 or above, with the reason of the request's signal when it
 * aborts, and with RequestError when there is no answer.
 *
 * Does not retry, except for a GET whose kept-alive connection the server closed before it answered. Callers
 * know which other requests are safe to repeat.
 */
export interface Transport {
  /** Sends a request. Resolves with the whole body of the answer. */
  request(request: TransportRequest): Promise<TransportResponse<Uint8Array>>;
  /**
   * Sends a request. Resolves when the headers arrive; the body then yields chunks as they arrive. Its
   * iteration throws RequestError when the connection breaks. Leaving the iteration early closes the
   * connection.
   */
  stream(request: TransportRequest): Promise<TransportResponse<AsyncIterable<Uint8Array>>>;
  /** Opens a WebSocket. exec, attach and port-forward need it. */
  connect?(request: ConnectRequest): Promise<TransportConnection>;
  /** Closes every connection. Open streams end with an error. */
  close(): Promise<void>;
}

/**
 * Creates a transport for the cluster and the user of the kubeconfig's current context. If you choose another
 * context later, this transport does not change.
 *
 * Uses the proxy of the kubeconfig (`proxy-url`) or of the environment (HTTPS_PROXY, NO_PROXY), as kubectl
 * does.
 *
 * @throws Error when the current context names no cluster, its server is not a URL, the proxy is not a proxy
 *   URL, or this Node is too old
 * @throws CredentialsError when the configuration of the user's exec plugin, auth provider or impersonation
 *   is invalid
 */
export function createTransport(kubeConfig: KubeConfig, options: TransportOptions = {}): Transport {
  // Every client and every manager starts here.
  requireNode("@operator-path/client", "22.19");
  const cluster = currentCluster(kubeConfig);
  const authentication = authenticationOf(kubeConfig);
  const server = new URL(cluster.server);
  const secure = server.protocol === "https:";
  const { userAgent = "operator-path", timeout = 75_000, clock = systemClock } = options;
  const { credentialsTimeout = 300_000, onWarning = warnOnce((text) => console.warn(`Warning: ${text}`)) } =
    options;
  const ends = createRequestEnds();
  const proxy = proxyOf(cluster, options.environment);
  const connections = createConnections({ secure, proxy, clock });
  const base = urlToHttpOptions(server);
  const root = server.pathname.replace(/\/$/, "");
  const noCredentials = `no credentials within ${credentialsTimeout / 1000} s: is an exec plugin of the kubeconfig waiting for input?`;
  const noAnswer = `no answer for ${timeout / 1000} s`;
  const failure = failureOf(server, proxy);

  /**
   * Returns the credentials for one request. Each request needs them anew because tokens rotate. The wait is
   * not part of `timeout`, because a person may have to log in.
   */
  async function credentials(request: TransportRequest): Promise<https.RequestOptions> {
    // A plugin may open a browser. Do not start one for a request that has ended.
    request.signal?.throwIfAborted();
    if (ends.isClosed) throw failure(request, new Error(closed), { isAborted: true });
    const auth: https.RequestOptions = {};
    const asking = new AbortController();
    const applied = authentication.applyTo(auth, asking.signal);
    // Usually they are available at once, and no timer is needed.
    if ((await Promise.race([applied, pending])) !== pending) return auth;
    const { signal } = request;
    const end = ends.begin({ clock, timeout: credentialsTimeout, timeoutMessage: noCredentials, signal });
    try {
      await Promise.race([applied, new Promise((_, reject) => end.onEnd(reject))]);
      return auth;
    } catch (error) {
      if (end.reason === undefined) throw error;
      asking.abort(end.reason);
      throw reasonOf(end, request);
    } finally {
      end.release();
    }
  }

  function commonHeaders(auth: https.RequestOptions, request: TransportRequest): http.OutgoingHttpHeaders {
    return { accept: "application/json", "user-agent": userAgent, ...identityOf(auth, request) };
  }

  async function open(
    request: TransportRequest,
    auth: https.RequestOptions,
    end: RequestEnd,
  ): Promise<http.IncomingMessage> {
    const agent = connections.agentFor(auth);
    const body = encode(request.body);
    const headers: http.OutgoingHttpHeaders = {
      ...commonHeaders(auth, request),
      ...(body ? { "content-type": "application/json", "content-length": body.byteLength } : {}),
      ...request.headers,
    };
    const path = pathAndQuery(root, request);
    const options = { ...base, path, method: request.method, headers, agent, auth: auth.auth ?? base.auth };
    const send = () =>
      new Promise<http.IncomingMessage>((resolve, reject) => {
        if (end.reason !== undefined) throw reasonOf(end, request);
        let response: http.IncomingMessage | undefined;
        const outgoing = (secure ? https : http).request(options, (received) => {
          response = received;
          resolve(received);
        });
        end.onEnd((reason) => {
          outgoing.destroy(reason instanceof Error ? reason : new Error(String(reason)));
          // A request without a connection emits no error.
          reject(reasonOf(end, request));
        });
        let bytesBefore = 0;
        outgoing.once("socket", (socket) => {
          bytesBefore = socket.bytesRead;
        });
        outgoing.on("error", (error: NodeJS.ErrnoException) => {
          // Node would end the body with `aborted` and hide the error of the connection.
          response?.destroy(error);
          const wasClosed = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
          // After the first byte, the caller already reads this answer. So the request is not sent again (Go:
          // net/http).
          const isUnanswered = outgoing.socket?.bytesRead === bytesBefore;
          if (end.reason !== undefined) reject(reasonOf(end, request));
          else if (wasClosed && isUnanswered && request.method === "GET") send().then(resolve, reject);
          else reject(failure(request, error));
        });
        outgoing.end(body);
      });
    return send();
  }

  function reasonOf(end: RequestEnd, request: TransportRequest): unknown {
    if (end.endedBy === "caller") return end.reason;
    return failure(request, end.reason, {
      timedOut: end.endedBy === "timeout",
      isAborted: end.endedBy === "client",
    });
  }

  async function read(
    response: http.IncomingMessage,
    request: TransportRequest,
    end: RequestEnd,
  ): Promise<Uint8Array> {
    try {
      return await readBody(response, end.extend);
    } catch (error) {
      throw end.reason === undefined ? failure(request, error) : reasonOf(end, request);
    }
  }

  async function respond(
    request: TransportRequest,
    auth: https.RequestOptions,
    end: RequestEnd,
  ): Promise<http.IncomingMessage> {
    const response = await open(request, auth, end);
    await check(response, request, auth, end);
    return response;
  }

  /** Reports the server's warnings. @throws ApiError when the server refuses the request */
  async function check(
    response: http.IncomingMessage,
    request: TransportRequest,
    auth: https.RequestOptions,
    end: RequestEnd,
  ): Promise<void> {
    const { warning: warnings } = response.headers;
    if (warnings !== undefined) for (const warning of parseWarnings(warnings)) onWarning(warning, request);
    if ((response.statusCode ?? 0) < 400) return;
    if (response.statusCode === 401) authentication.refuse(auth);
    const body = await read(response, request, end);
    throw toApiError(response.statusCode ?? 0, headersOf(response), body, {
      ...{ method: request.method, path: request.path, server: server.origin },
      user: authentication.user?.name,
    });
  }

  const begin = ({ signal }: TransportRequest) =>
    ends.begin({ clock, timeout, timeoutMessage: noAnswer, signal });

  return {
    async request(request) {
      const auth = await credentials(request);
      const end = begin(request);
      try {
        const response = await respond(request, auth, end);
        const body = await read(response, request, end);
        return { status: response.statusCode ?? 0, headers: headersOf(response), body };
      } finally {
        end.release();
      }
    },
    async stream(request) {
      const auth = await credentials(request);
      const end = begin(request);
      try {
        const response = await respond(request, auth, end);
        response.socket.setNoDelay(true);
        end.stopTimeout();
        response.once("close", end.release);
        const body = chunksOf(response, (error) =>
          end.reason === undefined ? failure(request, error) : reasonOf(end, request),
        );
        return { status: response.statusCode ?? 0, headers: headersOf(response), body };
      } catch (error) {
        end.release();
        throw error;
      }
    },
    async connect({ protocols, ...rest }) {
      const request = { method: "GET", ...rest };
      const auth = await credentials(request);
      const end = begin(request);
      // Not from the pool: the server may close a kept-alive connection at any moment, and a command must not
      // run twice.
      const agent = connections.dedicatedAgent(auth);
      try {
        const url = `${server.origin}${pathAndQuery(root, request)}`;
        const headers = { ...commonHeaders(auth, request), ...request.headers };
        const handshake = await openWebSocket({
          ...{ url, protocols, headers, auth: auth.auth ?? base.auth, agent, end, clock, timeout },
          toError: (error) => (end.reason === undefined ? failure(request, error) : reasonOf(end, request)),
        });
        if (!("response" in handshake)) {
          return {
            ...{ status: 101, ...handshake },
            request: { method: request.method, url: `${server.origin}${request.path}` },
          };
        }
        const { response } = handshake;
        await check(response, request, auth, end);
        throw failure(
          request,
          new Error(`the server answered ${response.statusCode} and opened no WebSocket`),
        );
      } catch (error) {
        end.release();
        agent.destroy();
        throw error;
      }
    },
    async close() {
      ends.closeAll(new Error(closed));
      connections.close();
    },
  };
}

const closed = "the client was closed";

/** Marks a promise that is still pending, in a race. */
const pending = Symbol("pending");

/** A path that needs no escaping. */
const plainPath = /^[\w\-./~!$&'()*+,;=:@%]*$/;

function pathAndQuery(root: string, { path, query = {} }: TransportRequest): string {
  const whole = root + path;
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value.map((each) => [name, each]) : [[name, String(value)]];
  });
  const search = parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : "";
  if (plainPath.test(whole) && !whole.includes("/.")) return whole + search;
  const url = new URL("http://path");
  url.pathname = whole;
  return url.pathname + search;
}

/**
 * Returns the headers that identify the user. A request that sets its own impersonated user does not inherit
 * the groups of the kubeconfig's impersonation (client-go: ImpersonationRoundTripper).
 */
function identityOf(
  auth: https.RequestOptions,
  { headers = {} }: TransportRequest,
): http.OutgoingHttpHeaders {
  const own = (auth.headers ?? {}) as http.OutgoingHttpHeaders;
  if (!Object.keys(headers).some((name) => name.toLowerCase() === "impersonate-user")) return own;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith("Impersonate-")));
}

function encode(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
}

/**
 * Returns a function that creates a RequestError. A socket's error says little more than ECONNREFUSED, so the
 * message also names the request, the server and the proxy.
 */
function failureOf(server: URL, proxy: URL | undefined) {
  const through = throughProxy(proxy);
  return (
    { method, path }: TransportRequest,
    error: unknown,
    more: { timedOut?: boolean; isAborted?: boolean } = {},
  ): RequestError => {
    const cause = error instanceof Error ? error : new Error(String(error));
    const url = `${server.origin}${path}`;
    const { code } = cause as NodeJS.ErrnoException;
    const message = `${method} ${url}: ${cause.message || code || cause.name}${through}`;
    return new RequestError(message, { request: { method, url }, cause, ...more });
  };
}
