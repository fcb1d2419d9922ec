import { once } from "node:events";
import { createServer, isIPv4, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { splice } from "@operator-path/apiserver";

/** A real listening socket of this machine, whose connections go on into the cluster. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
  /** Frees the port, and breaks what is connected through it. */
  close(): Promise<void>;
}

export interface HostPortOptions {
  /** A loopback address. */
  host: string;
  /** 0: a free one. */
  port: number;
  /** Connects one client. When it rejects, the client's connection is reset. */
  dial(from: string): Promise<Duplex>;
}

/** Of IPv4, and an address: a name that begins like one (`127.example.com`) may lead anywhere. */
export const isLoopback = (host: string): boolean => isIPv4(host) && host.startsWith("127.");

/** @throws node's EADDRINUSE, EACCES (a port below 1024, for those who may not), EADDRNOTAVAIL */
export async function openHostPort({ host, port, dial }: HostPortOptions): Promise<HostPort> {
  if (!isLoopback(host))
    throw new Error(`${host} is no loopback address: nothing of a cluster listens anywhere else`);
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
