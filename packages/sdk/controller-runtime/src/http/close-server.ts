import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { Clock } from "@operator-path/client";

export interface CloseOptions {
  clock: Clock;
  /**
   * Milliseconds that requests have to finish. Then their connections are closed, which aborts the handlers'
   * signals.
   */
  patience: number;
  onLate?: () => void;
}

interface Connection {
  /** The TCP socket, also for TLS. */
  socket: Socket;
  underWay: number;
  /** Bytes read when the last answer was complete. undefined before the first answer. */
  readAtAnswer?: number;
}

/**
 * Milliseconds to wait for the first request of a connection, as in Go: the client may be about to send it.
 */
const firstRequestPatience = 5_000;

/**
 * Returns a function that closes the server gracefully: it accepts no more connections, answers running
 * requests, and sends `connection: close` with each answer. Otherwise a client that keeps its connection busy
 * would keep the server running. Go: http.Server.Shutdown.
 *
 * It waits up to five seconds for the first request of a new connection, and closes idle keep-alive
 * connections at once. A request that is already on its way over such a connection fails. HTTP/1.1 has no way
 * to prevent that.
 *
 * Call it before the server listens, because it counts running requests.
 */
export function serverCloser(server: Server | HttpsServer): (options: CloseOptions) => Promise<void> {
  const connections = new Map<Socket, Connection>();
  // Node does not expose the socket below a TLS socket. Both have the same two addresses.
  const byEnds = new Map<string, Connection>();
  const underWay = new Set<ServerResponse>();
  let closing = false;

  server.prependListener("connection", (socket: Socket) => {
    const connection: Connection = { socket, underWay: 0 };
    const ends = endsOf(socket);
    connections.set(socket, connection);
    byEnds.set(ends, connection);
    socket.once("close", () => {
      connections.delete(socket);
      // A new connection may already use the same two addresses.
      if (byEnds.get(ends) === connection) byEnds.delete(ends);
    });
  });

  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket) ?? byEnds.get(endsOf(request.socket));
    underWay.add(response);
    if (connection) connection.underWay++;
    response.on("close", () => {
      underWay.delete(response);
      if (!connection) return;
      connection.underWay--;
      connection.readAtAnswer = connection.socket.bytesRead;
    });
    if (closing) sayGoodbye(response);
  });

  function closeWhere(applies: (connection: Connection) => boolean): void {
    for (const connection of connections.values()) if (applies(connection)) connection.socket.destroy();
  }

  return async ({ clock, patience, onLate = () => {} }) => {
    closing = true;
    for (const response of underWay) sayGoodbye(response);
    // For answers whose headers were already sent.
    server.keepAliveTimeout = 1;
    // Node's `close` calls this, which would also close connections that have not sent their first request.
    server.closeIdleConnections = () => {};
    const closed = new Promise((resolve) => server.close(resolve));
    closeWhere((one) => one.underWay === 0 && one.readAtAnswer === one.socket.bytesRead);
    const timers = [
      clock.setTimeout(() => closeWhere((one) => one.underWay === 0), firstRequestPatience),
      clock.setTimeout(() => {
        onLate();
        closeWhere(() => true);
      }, patience),
    ];
    await closed;
    for (const timer of timers) clock.clearTimeout(timer);
  };
}

function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket) =>
  [localAddress, localPort, remoteAddress, remotePort].join(" ");
