import type { Agent, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Clock } from "./clock.ts";
import type { RequestEnd } from "./request-end.ts";

export interface WebSocketOptions {
  /** Of http: or https:. */
  readonly url: string;
  readonly protocols: readonly string[];
  readonly headers: OutgoingHttpHeaders;
  readonly auth: string | null | undefined;
  readonly agent: Agent;
  /** Ends the handshake, and the WebSocket afterwards. Released when the WebSocket is closed. */
  readonly end: RequestEnd;
  readonly clock: Clock;
  /** Milliseconds of `end`. */
  readonly timeout: number;
  /** Words an error of the connection, or returns why `end` has ended it. */
  readonly toError: (error: unknown) => unknown;
}

/** The server's answer: a WebSocket, or an ordinary HTTP response. */
export type Handshake =
  | { readonly protocol: string; readonly socket: Duplex }
  | { readonly response: IncomingMessage };

/** Milliseconds between pings. They keep a quiet connection open in load balancers, and find out a vanished peer. */
const longestPingPeriod = 30_000;
/** A message of the API server has at most 32 KiB. */
const maxPayload = 16 * 1024 * 1024;

/** Close codes of a normal end: 1000 (normal) and 1005 (no code). */
const isRegular = (code: number) => code === 1000 || code === 1005;

/**
 * Opens a WebSocket, by `ws`: Node's own takes neither an agent nor client certificates.
 *
 * Pings the server twice a minute, or three times in `timeout` if that is more often. Closes the WebSocket when the server has sent nothing, not even an answer to a ping,
 * for as long as the time of `end`. The timer pauses while we are not reading, and after a write until the next pong: a
 * server stops reading the connection when the container does not read its stdin. TCP detects lost writes.
 *
 * @throws what `toError` returns
 */
export async function openWebSocket(options: WebSocketOptions): Promise<Handshake> {
  const { protocols, end, clock, toError } = options;
  // A quiet connection answers several pings before its time is over.
  const pingPeriod = Math.min(longestPingPeriod, options.timeout / 3);
  const { WebSocket } = await import("ws");
  const handshake = Promise.withResolvers<Handshake>();
  const webSocket = new WebSocket(options.url, {
    ...{ agent: options.agent, headers: options.headers, auth: options.auth ?? undefined },
    ...{ perMessageDeflate: false, maxPayload },
    // Kubernetes has protocols with a slash in their names. By the letter of RFC 6455, ws neither sends nor accepts them.
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
      const spoken = protocol === "" ? "none" : JSON.stringify(protocol);
      handshake.reject(
        toError(
          new Error(`the server chose the WebSocket protocol ${spoken}, not ${protocols.join(" or ")}`),
        ),
      );
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

/** Like createWebSocketStream of `ws`, except that a broken connection is an error, made by `toError`. */
function streamOf(webSocket: WebSocket, toError: (error: unknown) => unknown): Duplex {
  const socket = new Duplex({
    ...{ readableObjectMode: true, allowHalfOpen: false },
    read: () => webSocket.resume(),
    write(chunk: Uint8Array, _encoding, done) {
      // The close of the connection reports a write that is lost.
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
    else fail(new Error(`the connection broke off (WebSocket close code ${code})`));
  });
  return socket;
}
