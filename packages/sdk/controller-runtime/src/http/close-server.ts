import type { Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Clock } from "@operator-path/client";

export interface CloseOptions {
  clock: Clock;
  /** Milliseconds for what is under way. Then its connections are closed, which handlers are told of by their signals. */
  patience: number;
  onLate?: () => void;
}

/**
 * How a server will end: it takes no further connection, answers what has begun, and says in each answer that the connection
 * ends with it (Go: http.Server.Shutdown). Otherwise a caller that keeps its connection busy would keep the server, too.
 *
 * Called before the server listens, as what is under way at its end has to be known.
 */
export function serverCloser(server: Server | HttpsServer): (options: CloseOptions) => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let closing = false;

  function sayGoodbye(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader("connection", "close");
  }

  server.prependListener("request", (_request, response) => {
    underWay.add(response);
    response.on("close", () => underWay.delete(response));
    if (closing) sayGoodbye(response);
  });

  return async ({ clock, patience, onLate = () => {} }) => {
    closing = true;
    for (const response of underWay) sayGoodbye(response);
    // For an answer whose headers were on the way already.
    server.keepAliveTimeout = 1;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const timer = clock.setTimeout(() => {
      onLate();
      server.closeAllConnections();
    }, patience);
    await closed;
    clock.clearTimeout(timer);
  };
}
