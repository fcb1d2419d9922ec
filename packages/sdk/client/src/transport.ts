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
import { readBody } from "./read-body.ts";
import { createRequestEnds, type RequestEnd } from "./request-end.ts";
import { requireNode } from "./run-bin.ts";
import { parseWarnings, type WarningHandler, warnOnce } from "./server-warning.ts";
import { openWebSocket } from "./web-socket.ts";

/** An array repeats the parameter. */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

export interface TransportRequest {
  method: string;
  /** Path with a leading slash, without query. */
  path: string;
  query?: Query;
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

/** A request for a WebSocket (the API's verb CONNECT: exec, attach, port-forward). */
export interface ConnectRequest extends Omit<TransportRequest, "method" | "body"> {
  /** WebSocket subprotocols, the best first. */
  protocols: readonly string[];
}

export interface TransportConnection {
  /** 101. */
  status: number;
  /** The subprotocol that the server chose. */
  protocol: string;
  /** For the errors of a protocol on this connection. */
  request: FailedRequest;
  /**
   * Each chunk that is read or written is one WebSocket message. Ends when the server closes the WebSocket, and is
   * destroyed with an error when the connection breaks or the request's signal aborts. `destroy()` closes it.
   */
  socket: Duplex;
}

export interface TransportOptions {
  /** What the server's audit log calls this program. Default "operator-path". */
  userAgent?: string | undefined;
  /**
   * Milliseconds without a byte after which a request counts as lost, as when the other end of a connection has vanished.
   * Streams have it until their headers arrive. Default 75,000: an API server answers, or gives up, within 60 s.
   */
  timeout?: number | undefined;
  /**
   * Milliseconds that credentials may take: an exec plugin that waits for somebody to log in, say. Default 300,000. Then
   * the plugin is ended, and the next request starts it again.
   */
  credentialsTimeout?: number | undefined;
  clock?: Clock | undefined;
  /** Whose HTTPS_PROXY, HTTP_PROXY and NO_PROXY count. Default: the process's. */
  environment?: Environment | undefined;
  /**
   * Handles the warnings of the server: unknown fields, deprecated versions. Default: writes each distinct one to stderr
   * once, as kubectl does.
   */
  onWarning?: WarningHandler | undefined;
}

/**
 * Bytes to and from one API server, over HTTP/1.1 with kept-alive connections.
 *
 * Promises: all calls reject with ApiError on a status of 400 and above, with the reason of the request's signal when it
 * aborts, and with RequestError when there is no answer; a stream's iteration throws RequestError when the connection
 * breaks, and closes it when the consumer stops early.
 * Does not promise: retries, but for a GET that met a kept-alive connection as the server closed it. Callers know what
 * else is safe to repeat.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse<Uint8Array>>;
  stream(request: TransportRequest): Promise<TransportResponse<AsyncIterable<Uint8Array>>>;
  /** Opens a WebSocket. A transport that lacks it offers no exec, attach and port-forward. */
  connect?(request: ConnectRequest): Promise<TransportConnection>;
  /** Closes every connection; streams that are still open end with an error. */
  close(): Promise<void>;
}

/**
 * A transport to the cluster of the kubeconfig's current context, as its user: a context that is chosen later is for later ones.
 *
 * Through the proxy of the kubeconfig (`proxy-url`), or of the environment (HTTPS_PROXY, NO_PROXY), as kubectl.
 *
 * @throws Error when the kubeconfig has no current cluster, or one that cannot be asked, or the proxy is none; on a Node
 *   that is too old
 * @throws CredentialsError when its user has an exec plugin or an auth provider that cannot be asked
 */
export function createTransport(kubeConfig: KubeConfig, options: TransportOptions = {}): Transport {
  // Every client and every manager begins here.
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
  const overdue = `no credentials for ${credentialsTimeout / 1000} s: does an exec plugin of the kubeconfig wait for something?`;
  const silent = `no answer for ${timeout / 1000} s`;
  const failure = failureOf(server, proxy);

  /** Asked for at each request, since tokens and exec plugins rotate. Not part of the timeout: a person may have to log in. */
  async function credentials(request: TransportRequest): Promise<https.RequestOptions> {
    // A plugin may open somebody's browser: not for whom has left.
    request.signal?.throwIfAborted();
    if (ends.isClosed) throw failure(request, new Error(closed), { isAborted: true });
    const auth: https.RequestOptions = {};
    const asking = new AbortController();
    const applied = authentication.applyTo(auth, asking.signal);
    // Certificates and tokens are at hand: nothing has to be waited for.
    if ((await Promise.race([applied, waiting])) !== waiting) return auth;
    const end = ends.begin({ clock, timeout: credentialsTimeout, late: overdue, signal: request.signal });
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
          // Of a request that has no connection yet, nobody else tells.
          reject(reasonOf(end, request));
        });
        let bytesBefore = 0;
        outgoing.once("socket", (socket) => {
          bytesBefore = socket.bytesRead;
        });
        outgoing.on("error", (error: NodeJS.ErrnoException) => {
          // Node would end the body with `aborted`, and leave out what ended the connection.
          response?.destroy(error);
          const wasClosed = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
          // After its first byte, the answer belongs to a caller: a second one would be read by no one (Go: net/http).
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

  const begin = ({ signal }: TransportRequest) => ends.begin({ clock, timeout, late: silent, signal });

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
        end.endTime();
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
    async connect({ protocols, ...asked }) {
      const request = { method: "GET", ...asked };
      const auth = await credentials(request);
      const end = begin(request);
      // A kept-alive connection may be closed by the server at any moment, and a command must not run twice.
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

/** That a promise is not fulfilled yet. */
const waiting = Symbol("waiting");

/** What a path may hold as it is. */
const plainPath = /^[\w\-./~!$&'()*+,;=:@%]*$/;

function pathAndQuery(root: string, { path, query = {} }: TransportRequest): string {
  const whole = root + path;
  const asked = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value.map((each) => [name, each]) : [[name, String(value)]];
  });
  const search = asked.length > 0 ? `?${new URLSearchParams(asked)}` : "";
  if (plainPath.test(whole) && !whole.includes("/.")) return whole + search;
  const url = new URL("http://path");
  url.pathname = whole;
  return url.pathname + search;
}

/** A request that says itself as whom it acts (client-go: ImpersonationRoundTripper) does not act in the kubeconfig's groups. */
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

function headersOf(response: http.IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
  return headers;
}

/** The chunks of an answer, as they come; what breaks them off is thrown as `toError` words it. */
function chunksOf(
  response: http.IncomingMessage,
  toError: (error: unknown) => unknown,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = response[Symbol.asyncIterator]();
      const rethrow = (error: unknown): never => {
        throw toError(error);
      };
      return {
        next: () => chunks.next().catch(rethrow),
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

/** A socket's error says ECONNREFUSED and little else: names the request, the server, and the proxy, which may be what has failed. */
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
