import { once } from "node:events";
import { createServer, isIPv4, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { splice } from "@operator-path/apiserver";

/** A listening socket of this machine that forwards its connections into the cluster. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
  /** Closes the port and its connections. */
  close(): Promise<void>;
}

export interface HostPortOptions {
  /** A loopback address. */
  host: string;
  /** 0 for a free port. */
  port: number;
  /** Connects one client. If it rejects, the client's connection is reset. */
  dial(from: string): Promise<Duplex>;
}

/**
 * Whether the host is an IPv4 loopback address. A name that begins like one (`127.example.com`) is not, since
 * it may resolve to any address.
 */
export const isLoopback = (host: string): boolean => isIPv4(host) && host.startsWith("127.");

/**
 * @throws Error with Node's code EADDRINUSE, EACCES (a port below 1024 without permission) or EADDRNOTAVAIL
 */
export async function openHostPort({ host, port, dial }: HostPortOptions): Promise<HostPort> {
  if (!isLoopback(host))
    throw new Error(`${host} is not a loopback address: a cluster listens only on loopback addresses`);
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (socket) => {
    clients.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => clients.delete(socket));
    dial(socket.remoteAddress ?? "127.0.0.1").then(
      async (inside) => {
        const done = splice(socket, inside);
        socket.resume();
        await done;
      },
      () => socket.resetAndDestroy(),
    );
  });
  server.listen(port, host);
  await once(server, "listening");
  server.on("error", () => {});
  const address = server.address();
  return {
    host,
    port: address !== null && typeof address === "object" ? address.port : port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}
