import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Clock, systemClock, type TimerHandle } from "@operator-path/client";
import { createDirection } from "./direction.ts";
import type { Fate } from "./fate.ts";

export interface TcpProxyOptions {
  /** The server on the loopback interface. */
  port: number;
  host?: string;
  /** The fate of the nth connection, counted from 0. Default: none. See `drawFate`. */
  fate?(connection: number): Fate;
  clock?: Clock;
}

/** A TCP proxy on 127.0.0.1. TLS passes unchanged: the certificate is the server's. */
export interface TcpProxy {
  readonly port: number;
  /** Open connections, half-open ones included. */
  readonly open: number;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Resets new connections at once, until `refuse(false)`. */
  refuse(refusing: boolean): void;
  /** Resets every open connection (RST). */
  reset(): void;
  /** Makes every open connection half-open: it stays, and no byte passes. */
  silence(): void;
  /** Gives new connections no fate. Open ones keep theirs. */
  heal(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  const { port, host = "127.0.0.1", clock = systemClock } = options;
  let fate = options.fate ?? (() => ({}));
  let refusing = false;
  let accepted = 0;
  const open = new Set<ReturnType<typeof bridge>>();

  const server = createServer({ allowHalfOpen: true }, (client) => {
    // "close" follows every error.
    client.on("error", () => {});
    if (refusing) return void client.resetAndDestroy();
    const bridged = bridge(
      client,
      connect({ port, host, allowHalfOpen: true }),
      fate(accepted++),
      clock,
      () => open.delete(bridged),
    );
    open.add(bridged);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return open.size;
    },
    get accepted() {
      return accepted;
    },
    refuse(value) {
      refusing = value;
    },
    reset() {
      for (const bridged of open) bridged.end("reset");
    },
    silence() {
      for (const bridged of open) bridged.end("silence");
    },
    heal() {
      refusing = false;
      fate = () => ({});
    },
    async close() {
      for (const bridged of open) bridged.end("reset");
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Two sockets, the bytes between them, and their end. */
function bridge(client: Socket, server: Socket, fate: Fate, clock: Clock, onClosed: () => void) {
  const { end: ending } = fate;
  let left = ending?.afterBytes ?? Number.POSITIVE_INFINITY;
  let timer: TimerHandle;
  let closed = 0;

  for (const socket of [client, server]) {
    socket.setNoDelay(true);
    socket.on("error", () => {});
  }
  const up = createDirection(client, server, { ...fate, clock, allow: (bytes) => bytes });
  const down = createDirection(server, client, {
    ...fate,
    clock,
    allow(bytes) {
      const allowed = Math.min(bytes, left);
      left -= allowed;
      if (left === 0 && ending) queueMicrotask(() => end(ending.how));
      return allowed;
    },
  });

  const onClose = (other: Socket) => () => {
    // The other side of a half-open connection does not see its end.
    if (!silent) other.destroy();
    if (++closed < 2) return;
    clock.clearTimeout(timer);
    onClosed();
  };
  let silent = false;
  client.on("close", onClose(server));
  server.on("close", onClose(client));
  if (ending?.afterMs !== undefined) timer = clock.setTimeout(() => end(ending.how), ending.afterMs);

  function end(how: NonNullable<Fate["end"]>["how"]): void {
    down.stop();
    if (how !== "lost") up.stop();
    // Once the client has given up, silence has no purpose.
    if (how === "silence" || how === "lost") {
      silent = true;
      const leave = () => {
        client.destroy();
        server.destroy();
      };
      client.once("end", leave);
      client.once("close", leave);
      return;
    }
    // While a FIN is on its way libuv refuses to reset, and node would never close the handle.
    if (how === "close") client.end();
    else if (client.writableEnded) client.destroy();
    else client.resetAndDestroy();
    server.destroy();
  }

  return { end };
}
