import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type WebSocket, WebSocketServer } from "ws";
import type { z } from "zod";
import { readJson } from "./body.ts";
import { createGuard } from "./guard.ts";
import { securityHeaders } from "./headers.ts";
import { type PageOptions, renderPage, renderRefusal } from "./page.ts";
import { isReply, UiError } from "./reply.ts";
import { createSessions } from "./sessions.ts";
import type { WebBundle } from "./web-bundle.ts";

export interface UiServerOptions extends PageOptions {
  readonly bundle: WebBundle;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Bytes of a request's body or of a WebSocket message. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Receives a line for each error that the browser does not see. Default: a line on stderr. */
  readonly log?: (line: string) => void;
}

/** A request that passed all checks. */
export interface UiRequest {
  readonly query: URLSearchParams;
  /** Aborts when the browser closes the connection. */
  readonly signal: AbortSignal;
}

/**
 * A server for one user's browser, on 127.0.0.1 only.
 *
 * Promises: no request without a session's cookie reaches a handler or a file. No page of another origin, and
 * no form, reaches one either. A mutation needs the exact Origin and the CSRF token of this server's page.
 *
 * Does not promise protection from programs of the same user, which can read the user's files and cookies.
 */
export interface UiServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a token. */
  readonly origin: string;
  /** The URL for the first browser. It works once. */
  readonly url: string;
  /** Returns a URL for another browser, which works once. */
  createUrl(): string;
  /** Adds a route that changes nothing. The handler returns JSON data, or a reply of `textReply` or `streamReply`. */
  get(path: string, handler: (request: UiRequest) => unknown): void;
  /** Adds a route for mutations. The handler receives the body after the schema has accepted it. */
  post<S extends z.ZodType>(
    path: string,
    schema: S,
    handler: (body: z.output<S>, request: UiRequest) => unknown,
  ): void;
  /** Adds a WebSocket. Its handler owns the socket and must listen to its messages at once. */
  socket(path: string, handler: (socket: WebSocket, request: UiRequest) => void): void;
  /** Closes all connections. Resolves when the port is free. May be called twice. */
  close(): Promise<void>;
}

interface Route {
  get?(request: UiRequest): unknown;
  post?(body: unknown, request: UiRequest): unknown;
  socket?(socket: WebSocket, request: UiRequest): void;
}

/**
 * Starts a server for one user's browser.
 *
 * @throws Error with the code EADDRINUSE if the port is taken
 */
export async function createUiServer(options: UiServerOptions): Promise<UiServer> {
  const { bundle, maxBodyBytes = 1 << 20, log = console.error } = options;
  const server = createServer({ requestTimeout: 30_000 });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const sessions = createSessions(port);
  const csrfToken = randomBytes(32).toString("base64url");
  const guard = createGuard(port, sessions, csrfToken);
  const headers = securityHeaders(port, options.inlineStyles ?? false);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, clientTracking: true });
  const routes = new Map<string, Route>();
  const origin = `http://127.0.0.1:${port}`;

  server.on("request", (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(request, response).catch((error: unknown) => refuse(response, error));
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    try {
      upgrade(request, socket, head);
    } catch (error) {
      refuseUpgrade(socket, statusOf(error));
    }
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    guard.checkHost(request.headers);
    const { path, query } = targetOf(request);
    const isGet = request.method === "GET" || request.method === "HEAD";
    if (path === "/" && isGet) return answerPage(request, response, query);
    guard.checkSession(request.headers);
    guard.checkSite(request.headers);
    const file = bundle.files.get(path);
    if (file && isGet) {
      response.setHeader("cache-control", "private, max-age=31536000, immutable");
      return send(response, 200, file.type, file.body);
    }
    const route = routes.get(path);
    if (!route?.get && !route?.post) throw new UiError(404, "there is no such page");
    const asked = { query, signal: signalOf(response) };
    if (isGet && route.get) return reply(response, await route.get(asked));
    if (request.method !== "POST" || !route.post) {
      response.setHeader("allow", route.post ? "POST" : "GET, HEAD");
      throw new UiError(405, `${request.method} is not allowed here`);
    }
    guard.checkOrigin(request.headers);
    guard.checkCsrf(request.headers);
    await reply(response, await route.post(await readJson(request, maxBodyBytes), asked));
  }

  /** Exchanges a token for a cookie, and redirects to a URL without it, so that no history keeps the token. */
  function answerPage(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    const token = query.get("token");
    const session = token === null ? undefined : sessions.redeem(token);
    if (session !== undefined) {
      const cookie = `${sessions.cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`;
      response.writeHead(303, { location: "/", "set-cookie": cookie }).end();
      return;
    }
    try {
      guard.checkSession(request.headers);
    } catch (error) {
      send(response, statusOf(error), "text/html; charset=utf-8", renderRefusal(messageOf(error)));
      return;
    }
    // A used token may still be in the address bar, after "back" or a restored tab.
    if (token !== null) response.writeHead(303, { location: "/" }).end();
    else send(response, 200, "text/html; charset=utf-8", renderPage(bundle, csrfToken, options));
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    guard.checkHost(request.headers);
    guard.checkOrigin(request.headers);
    guard.checkSession(request.headers);
    const { path, query } = targetOf(request);
    const handler = routes.get(path)?.socket;
    if (!handler) throw new UiError(404, "there is no such socket");
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const closed = new AbortController();
      opened.on("close", () => closed.abort());
      // ws closes the socket itself after an error.
      opened.on("error", () => {});
      try {
        handler(opened, { query, signal: closed.signal });
      } catch (error) {
        log(`socket ${path}: ${messageOf(error)}`);
        opened.close(1011);
      }
    });
  }

  function refuse(response: ServerResponse, error: unknown): void {
    if (!(error instanceof UiError)) log(`request failed: ${messageOf(error)}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const message =
      error instanceof UiError ? error.message : "the server failed: see the output in its terminal";
    // An unread body would be taken for the next request.
    response.setHeader("connection", "close");
    send(response, statusOf(error), "application/json", JSON.stringify({ message }));
  }

  function route(path: string, kind: keyof Route, handler: Route): void {
    const known = routes.get(path);
    if (known?.[kind] || bundle.files.has(path)) throw new Error(`${kind} ${path} already exists`);
    routes.set(path, { ...known, ...handler });
  }

  const createUrl = () => `${origin}/?token=${sessions.createToken()}`;
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
    });
    return closing;
  }
  return {
    origin,
    url: createUrl(),
    createUrl,
    get: (path, handler) => route(path, "get", { get: handler }),
    post: (path, schema, handler) =>
      route(path, "post", {
        post(body, request) {
          const result = schema.safeParse(body);
          if (!result.success) throw new UiError(400, problemOf(result.error));
          return handler(result.data, request);
        },
      }),
    socket: (path, handler) => route(path, "socket", { socket: handler }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Takes the path as sent: nothing is decoded, so `%2e%2e` and `/x/..` are paths that do not exist. */
function targetOf({ url = "" }: IncomingMessage): { path: string; query: URLSearchParams } {
  const at = url.indexOf("?");
  return at === -1
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}

function signalOf(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  return closed.signal;
}

async function reply(response: ServerResponse, value: unknown): Promise<void> {
  if (!isReply(value)) return send(response, 200, "application/json", JSON.stringify(value ?? null));
  if (typeof value.body === "string") return send(response, 200, value.type, value.body);
  response.writeHead(200, { "content-type": value.type });
  response.flushHeaders();
  // The browser closes the connection when it has seen enough. That ends the stream, and is no error.
  await pipeline(Readable.from(value.body), response).catch((error: unknown) => {
    if (!response.destroyed) throw error;
  });
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function statusOf(error: unknown): number {
  return error instanceof UiError ? error.status : 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join(".") || "the body"}: ${issue?.message ?? "invalid"}`;
}
