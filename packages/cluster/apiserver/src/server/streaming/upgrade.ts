import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type ApiStatusError, badRequest, forbidden } from "../../apimachinery/errors.ts";

/** An HTTP request to change the protocol, and its connection. */
export interface Upgrade {
  message: IncomingMessage;
  socket: Duplex;
  /** Bytes that arrived behind the request. */
  head: Buffer;
  /** Aborted when the client disconnects or the server stops. */
  signal: AbortSignal;
}

/** The protocols of a handler, in order of preference. */
export interface Protocols {
  /** Subprotocols of a WebSocket (Sec-WebSocket-Protocol). */
  webSocket: readonly string[];
  /** Protocols on SPDY/3.1 (X-Stream-Protocol-Version). */
  spdy: readonly string[];
}

export type Upgraded =
  | { kind: "webSocket"; protocol: string; socket: WebSocket }
  | { kind: "spdy"; protocol: string; transport: Duplex };

/**
 * Returns the preferred common protocol and how to switch to it. Writes nothing before `accept` is called.
 * @throws ApiStatusError 400 or 403
 */
export function negotiate(
  message: IncomingMessage,
  protocols: Protocols,
): { kind: "webSocket" | "spdy"; protocol: string } {
  const upgrade = (message.headers.upgrade ?? "").toLowerCase();
  switch (upgrade) {
    case "websocket": {
      const offered = parseTokens(message.headers["sec-websocket-protocol"]);
      return { kind: "webSocket", protocol: choose(offered, protocols.webSocket) };
    }
    case "spdy/3.1": {
      const offered = parseTokens(message.headers["x-stream-protocol-version"]);
      if (offered.length === 0)
        throw badRequest("unable to upgrade: header X-Stream-Protocol-Version does not exist in request");
      return { kind: "spdy", protocol: choose(offered, protocols.spdy) };
    }
    default:
      throw badRequest(
        `cannot upgrade to ${JSON.stringify(message.headers.upgrade ?? "")}: this needs a WebSocket with ${protocols.webSocket.join(" or ")}, or SPDY/3.1 with ${protocols.spdy.join(" or ")}`,
      );
  }
}

/** Returns the client's first known protocol. */
function choose(offered: readonly string[], known: readonly string[]): string {
  const protocol = offered.find((one) => known.includes(one));
  if (protocol !== undefined) return protocol;
  throw cannotNegotiate(offered, known);
}

function cannotNegotiate(offered: readonly string[], known: readonly string[]): ApiStatusError {
  const error = forbidden("", "", "", "");
  error.status.message = `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(" ")}], server accepts [${known.join(" ")}]`;
  return error;
}

function parseTokens(header: string | string[] | undefined): string[] {
  return (Array.isArray(header) ? header.join(",") : (header ?? ""))
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Switches the protocol. Call it right after `negotiate`. */
export async function accept(
  { message, socket, head }: Upgrade,
  { kind, protocol }: { kind: "webSocket" | "spdy"; protocol: string },
): Promise<Upgraded> {
  if (kind === "webSocket") {
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: 4 * 1024 * 1024,
    });
    // Subprotocols of Kubernetes contain a slash, which ws rejects, as RFC 6455 demands.
    delete message.headers["sec-websocket-protocol"];
    server.on("headers", (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
    const webSocket = await new Promise<WebSocket>((resolve) =>
      server.handleUpgrade(message, socket, head, resolve),
    );
    return { kind, protocol, socket: webSocket };
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
  return { kind, protocol, transport: socket };
}
