import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { initialEvents, listPage, startOf } from "./frames.ts";
import { type Modifications, prepareModifications } from "./modifications.ts";
import { type Recording, resources } from "./recording.ts";

export interface RecordedServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts an API server that serves one recorded resource: lists in pages, and a watch with initial events if
 * requested. The bytes exist before, so a request costs only their copy. Plain HTTP/1.1 on loopback, without
 * authentication and compression.
 *
 * Beside the API, `/bench/events?count=n` sends n modifications to every watch, as fast as it reads. The
 * first such request prepares them, so send one with count 0 first. `/bench/pace?count=n` sends one every
 * millisecond, and `/bench/sent` returns when each was sent (microseconds of the machine's monotonic clock,
 * which processes share).
 */
export async function startRecordedServer(recording: Recording): Promise<RecordedServer> {
  const { path } = resources[recording.resource];
  const watches = new Set<Socket>();
  const sent: number[] = [];
  let modifications: Modifications | undefined;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.destroyed) response.destroy(error as Error);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://server");
    const query = url.searchParams;
    const count = Number(query.get("count"));
    if (url.pathname === path) {
      const isWatch = query.get("watch") === "true" || query.get("watch") === "1";
      return isWatch ? watch(response, query) : list(response, query);
    }
    if (url.pathname === "/bench/sent") return void response.end(JSON.stringify(sent));
    if (url.pathname !== "/bench/events" && url.pathname !== "/bench/pace") {
      response.writeHead(404, { "content-type": "application/json" });
      return void response.end(
        JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: 404 }),
      );
    }
    modifications ??= prepareModifications(recording);
    // Some subjects open their watch a moment after they report that they have synced.
    while (watches.size === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    response.end();
    if (url.pathname === "/bench/events") await burst(modifications, count);
    else pace(modifications, count);
  }

  async function list(response: ServerResponse, query: URLSearchParams): Promise<void> {
    const socket = head(response);
    await pour(socket, listPage(recording, startOf(query.get("continue")), Number(query.get("limit") ?? 0)));
    // The empty last chunk.
    response.end();
  }

  async function watch(response: ServerResponse, query: URLSearchParams): Promise<void> {
    const socket = head(response);
    if (query.get("sendInitialEvents") === "true") await pour(socket, initialEvents(recording));
    watches.add(socket);
    socket.once("close", () => watches.delete(socket));
  }

  async function burst(from: Modifications, count: number): Promise<void> {
    for (let left = count; left > 0 && watches.size > 0; ) {
      const { events, bytes } = from.next(left);
      left -= events;
      await Promise.all([...watches].map((socket) => send(socket, bytes)));
    }
  }

  function pace(from: Modifications, count: number): void {
    const timer = setInterval(() => {
      if (sent.length === count || watches.size === 0) return clearInterval(timer);
      const { bytes } = from.next(1);
      sent.push(Number(process.hrtime.bigint()) / 1_000);
      for (const socket of watches) socket.write(bytes);
    }, 1);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes the chunks behind the head to the socket unchanged. */
function head(response: ServerResponse): Socket {
  response.writeHead(200, { "content-type": "application/json", "transfer-encoding": "chunked" });
  response.flushHeaders();
  const { socket } = response;
  if (socket === null) throw new Error("the client has disconnected");
  return socket;
}

async function pour(socket: Socket, batches: Iterable<Buffer>): Promise<void> {
  for (const batch of batches) {
    if (socket.destroyed) return;
    await send(socket, batch);
  }
}

/** Resolves when the other end has read most of the bytes. */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  socket.write(bytes);
  if (socket.writableLength > 1 << 20) await drained(socket);
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.once("drain", done);
    socket.once("close", done);
  });
}
