import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { ServingCertificate } from "@operator-path/client/certificates";
import {
  ApiStatusError,
  forbidden,
  internalError,
  type Status,
  unauthorized,
} from "../../apimachinery/errors.ts";
import type { UserInfo } from "../auth/user.ts";
import { anonymousUser } from "../auth/user.ts";
import { createInFlight, type Flight, type RequestLimits } from "./in-flight.ts";
import { isOwnHost } from "./loopback.ts";
import { type Reply, sendReply, statusReply } from "./reply.ts";
import { type ApiRequest, createApiRequest } from "./request.ts";

/** A request for a protocol other than HTTP (exec, attach). */
export interface UpgradeRequest {
  request: ApiRequest;
  message: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

export interface HttpServerOptions {
  certificate: ServingCertificate;
  port: number;
  /** Returns the user of a token, or undefined for an invalid one. */
  authenticate(token: string): UserInfo | undefined;
  /**
   * Returns the authorized request, with the impersonated user if the headers name one.
   * @param headers returns all values of each header, which takes longer than the usual form
   * @throws ApiStatusError 400 or 403
   */
  authorize(request: ApiRequest, headers: () => NodeJS.Dict<string[]>): ApiRequest;
  handle(request: ApiRequest): Promise<Reply>;
  /** Returns whether a request may change the protocol. If not, it is answered as plain HTTP. */
  upgrades(message: IncomingMessage): boolean;
  /** Takes over the socket, or throws before it writes to it. */
  upgrade(upgrade: UpgradeRequest): Promise<void>;
  log(line: string): void;
  /** Milliseconds in which a request, with its body, must arrive. Default: 30 s. */
  requestTimeout?: number;
  limits?: RequestLimits | undefined;
}

export interface HttpServer {
  port: number;
  /** Ends all connections, then the server. */
  stop(): Promise<void>;
}

/**
 * One abort reason for all requests. Every request's signal aborts when the request ends, and creating an
 * error would cost more than the rest of the abort.
 */
const ended = new DOMException("the client has disconnected, or the server stops", "AbortError");

/** Milliseconds, as `ReadHeaderTimeout` of kube-apiserver. Clients of a busy machine may need more than ten seconds. */
const readHeaderTimeout = 32_000;

/** Paths without authentication. They reveal nothing about the contents of the cluster. */
const openPaths = new Set(["healthz", "livez", "readyz", "version"]);

/** Starts an HTTPS server on 127.0.0.1. It answers everything with a Status, including its own errors. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { certificate, authenticate, authorize, handle, upgrades, upgrade, log } = options;
  const { requestTimeout = 30_000 } = options;
  const inFlight = createInFlight(options.limits);
  const { copies, pacer, stallTimeout } = inFlight;
  const pending = new Set<AbortController>();
  let stopped = false;
  const sockets = new Set<Duplex>();

  const server = createServer({
    key: certificate.privateKey,
    cert: certificate.certificate,
    minVersion: "TLSv1.2",
    // A client with a slower handshake or slower headers holds a connection for nothing.
    handshakeTimeout: readHeaderTimeout,
    headersTimeout: Math.min(readHeaderTimeout, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
    // Longer than clients keep an idle connection, so that the client closes it.
    keepAliveTimeout: 180_000,
    maxHeaderSize: 64 * 1024,
    shouldUpgradeCallback: upgrades,
  });
  // The TCP connection, not the TLS one: stop() also ends connections without a handshake.
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("secureConnection", (socket) => socket.setNoDelay(true));
  server.on("request", (message, response) => {
    void respond(message, response);
  });
  server.on("upgrade", (message, socket, head) => {
    void switchProtocol(message, socket, head);
  });

  /**
   * Aborts when the stream closes or the server stops. The stream of every answered request closes in the
   * end.
   */
  function abortOn(stream: ServerResponse | Duplex): AbortController {
    const controller = new AbortController();
    if (stopped) controller.abort(ended);
    pending.add(controller);
    stream.on("close", () => {
      pending.delete(controller);
      controller.abort(ended);
    });
    return controller;
  }

  /** Authenticates a request. @throws ApiStatusError 401 or 403 */
  function admit(message: IncomingMessage, signal: AbortSignal): ApiRequest {
    if (!isOwnHost(message.headers.host)) {
      throw forbidden(
        "",
        "",
        "",
        `the Host header must name the loopback interface, not ${message.headers.host}`,
      );
    }
    const token = /^bearer +(\S+) *$/i.exec(message.headers.authorization ?? "")?.[1];
    const user = token === undefined ? undefined : authenticate(token);
    const request = createApiRequest({
      message,
      user: user ?? anonymousUser,
      signal,
      budget: inFlight.bodies,
    });
    const open = message.headers.authorization === undefined && openPaths.has(request.segments[0] ?? "");
    if (user === undefined && !open) throw unauthorized();
    return authorize(request, () => message.headersDistinct);
  }

  function toStatus(error: unknown, message: IncomingMessage): Status {
    if (error instanceof ApiStatusError) return error.status;
    log(
      `${message.method} ${message.url}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return internalError(error instanceof Error ? error.message : String(error)).status;
  }

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client may disconnect at any time without an error.
    const disconnected = abortOn(response);
    for (const stream of [message, response]) stream.on("error", () => disconnected.abort(ended));
    const head = message.method === "HEAD";
    let warnings: readonly string[] = [];
    const sending = { head, copies, pacer, stallTimeout, log };
    let flight: Flight | undefined;
    try {
      const request = admit(message, disconnected.signal);
      warnings = request.warnings;
      if (!openPaths.has(request.segments[0] ?? "")) flight = inFlight.enter();
      const reply = await handle(request);
      if ("stream" in reply && reply.kind !== "list") flight?.goOn();
      await sendReply(response, reply, { ...sending, warnings });
    } catch (error) {
      if (disconnected.signal.aborted || (message.destroyed && !message.complete)) return;
      if (response.headersSent) {
        // The response is incomplete. Only a broken connection shows the client that the rest is missing.
        toStatus(error, message);
        response.destroy();
        return;
      }
      await sendReply(response, statusReply(toStatus(error, message)), { ...sending, warnings }).catch(() => {
        response.destroy();
      });
    } finally {
      flight?.leave();
      // The unread rest of a body would block the next request. requestTimeout ends it.
      if (!message.complete) message.resume();
    }
  }

  async function switchProtocol(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const disconnected = abortOn(socket);
    socket.on("error", () => disconnected.abort(ended));
    try {
      const request = admit(message, disconnected.signal);
      const flight = inFlight.enter();
      socket.on("close", flight.leave);
      flight.goOn();
      await upgrade({ request, message, socket, head });
    } catch (error) {
      refuseUpgrade(socket, toStatus(error, message));
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", (error) => log(`server: ${error.message}`));

  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      stopped = true;
      for (const request of pending) request.abort(ended);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Writes the response to a refused upgrade by hand, because there is no ServerResponse. */
function refuseUpgrade(socket: Duplex, status: Status): void {
  if (socket.destroyed) return;
  const body = Buffer.from(JSON.stringify(status));
  const head = `HTTP/1.1 ${status.code ?? 500} ${status.reason ?? "Error"}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]));
}
