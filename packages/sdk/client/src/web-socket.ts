import type { Agent, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Clock } from "./clock.ts";
import type { RequestEnd } from "./request-end.ts";

export interface WebSocketOptions {
  /** An http: or https: URL. */
  readonly url: string;
  readonly protocols: readonly string[];
  readonly headers: OutgoingHttpHeaders;
  readonly auth: string | null | undefined;
  readonly agent: Agent;
  /** Ends the handshake, and later the WebSocket. Released when the WebSocket is closed. */
  readonly end: RequestEnd;
  readonly clock: Clock;
  /** The timeout of `end`, in milliseconds. */
  readonly timeout: number;
  /** Returns the error to report for an error of the connection, or the reason of `end`. */
  readonly toError: (error: unknown) => unknown;
}

/** The server's answer: a WebSocket, or an ordinary HTTP response. */
export type Handshake =
  | { readonly protocol: string; readonly socket: Duplex }
  | { readonly response: IncomingMessage };

/**
 * Milliseconds between pings. They keep a quiet connection open in load balancers, and detect a vanished
 * peer.
 */
const longestPingPeriod = 30_000;
/** A message of the API server has at most 32 KiB. */
const maxPayload = 16 * 1024 * 1024;

/** Whether a close code marks a normal end: 1000 (normal) or 1005 (no code). */
const isRegular = (code: number) => code === 1000 || code === 1005;

/**
 * Opens a WebSocket with the library `ws`. Node's own WebSocket takes neither an agent nor client
 * certificates.
 *
 * Pings the server twice a minute, or three times per `timeout` if that is more often. Closes the WebSocket
 * when the server has sent nothing for `timeout`, not even a pong. The timer pauses in two cases: while we
 * are not reading, and from a write to the next pong, because a server stops reading when the container does
 * not read its stdin. TCP detects lost writes.
 *
 * @throws the result of `toError`
 */
export async function openWebSocket(options: WebSocketOptions): Promise<Handshake> {
  const { protocols, end, clock, toError } = options;
  // A quiet connection answers several pings within the timeout.
  const pingPeriod = Math.min(longestPingPeriod, options.timeout / 3);
  const { WebSocket } = await import("ws");
  const handshake = Promise.withResolvers<Handshake>();
  const webSocket = new WebSocket(options.url, {
    ...{ agent: options.agent, headers: options.headers, auth: options.auth ?? undefined },
    ...{ perMessageDeflate: false, maxPayload },
    // Some of Kubernetes' protocols have a slash in their name. RFC 6455 forbids that, so ws neither sends
    // nor accepts them.
    finishRequest(outgoing) {
      outgoing.setHeader("sec-websocket-protocol", protocols.join(", "));
      outgoing.end();
    },
  });
  let protocol = "";
  let tcp: Socket | undefined;
  webSocket.once("upgrade", ({ headers, socket }) => {
    tcp = socket;
    protocol = headers["sec-websocket-protocol"] ?? "";
    delete headers["sec-websocket-protocol"];
  });
  webSocket.once("unexpected-response", (outgoing, response) => {
    end.onEnd(() => outgoing.destroy());
    response.once("close", () => outgoing.destroy());
    handshake.resolve({ response });
  });
  webSocket.on("error", (error) => handshake.reject(toError(error)));
  end.onEnd((reason) => {
    handshake.reject(toError(reason));
    webSocket.terminate();
  });
  webSocket.once("open", () => {
    if (!protocols.includes(protocol)) {
      webSocket.terminate();
      const chosen =
        protocol === "" ? "no WebSocket protocol" : `the WebSocket protocol ${JSON.stringify(protocol)}`;
      handshake.reject(toError(new Error(`the server chose ${chosen} (expected ${protocols.join(" or ")})`)));
      return;
    }
    const socket = streamOf(webSocket, toError);
    end.onEnd((reason) => socket.destroy(toError(reason) as Error));
    keepAlive(tcp as Socket);
    handshake.resolve({ protocol, socket });
  });
  return handshake.promise;

  function keepAlive(connection: Socket): void {
    let isUnconfirmed = false;
    let written = connection.bytesWritten;
    let timer: unknown;
    webSocket.on("message", end.extend);
    webSocket.on("pong", () => {
      isUnconfirmed = false;
      end.extend();
    });
    webSocket.once("close", () => {
      clock.clearTimeout(timer);
      end.release();
    });
    ping();

    function ping(): void {
      timer = clock.setTimeout(ping, pingPeriod);
      if (connection.bytesWritten > written) isUnconfirmed = true;
      if (isUnconfirmed || webSocket.isPaused) end.extend();
      webSocket.ping();
      written = connection.bytesWritten;
    }
  }
}

/** Like createWebSocketStream of `ws`, but a broken connection is an error, created by `toError`. */
function streamOf(webSocket: WebSocket, toError: (error: unknown) => unknown): Duplex {
  const socket = new Duplex({
    ...{ readableObjectMode: true, allowHalfOpen: false },
    read: () => webSocket.resume(),
    write(chunk: Uint8Array, _encoding, done) {
      // The close of the connection reports lost writes.
      webSocket.send(chunk, () => done());
    },
    final(done) {
      webSocket.close();
      done();
    },
    destroy(error, done) {
      webSocket.terminate();
      done(error);
    },
  });
  socket.on("error", () => {});
  const fail = (error: Error) => socket.destroy(toError(error) as Error);
  webSocket.on("message", (message: Buffer) => {
    if (!socket.push(message)) webSocket.pause();
  });
  webSocket.once("error", fail);
  webSocket.once("close", (code) => {
    if (isRegular(code)) socket.push(null);
    else fail(new Error(`the connection broke (WebSocket close code ${code})`));
  });
  return socket;
}
