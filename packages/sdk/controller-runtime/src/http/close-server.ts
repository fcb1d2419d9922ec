import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { Clock } from "@operator-path/client";

export interface CloseOptions {
  clock: Clock;
  /** Milliseconds for what is under way. Then its connections are closed, which handlers are told of by their signals. */
  patience: number;
  onLate?: () => void;
}

interface Connection {
  /** Of TCP, also where TLS is spoken. */
  socket: Socket;
  underWay: number;
  /** Bytes that had been read when its last answer was complete; undefined: nothing was answered yet. */
  readAtAnswer?: number;
}

/** Milliseconds for the first request of a connection, as Go has it: the caller may be about to send it. */
const firstRequestPatience = 5_000;

/**
 * How a server will end: it takes no further connection, answers what has begun, and says in each answer that the connection
 * ends with it (Go: http.Server.Shutdown). Otherwise a caller that keeps its connection busy would keep the server, too.
 *
 * A connection over which nothing was asked yet is waited for. One that is kept for a next request is closed at once: a
 * request that is on its way there at that moment fails, which HTTP/1.1 has no means against.
 *
 * Called before the server listens, as what is under way at its end has to be known.
 */
export function serverCloser(server: Server | HttpsServer): (options: CloseOptions) => Promise<void> {
  const connections = new Map<Socket, Connection>();
  // Nobody tells the socket below one of TLS: both have the same two ends.
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
      // The same ends may have been taken again before this is told.
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
    // For an answer whose headers were on the way already.
    server.keepAliveTimeout = 1;
    // Node's own, which `close` calls, closes also those over which nothing was asked yet.
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
