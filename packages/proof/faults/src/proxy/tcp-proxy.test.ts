import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { systemClock } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../random.ts";
import { drawFate, type Fate } from "./fate.ts";
import { startTcpProxy } from "./tcp-proxy.ts";

/** A server that echoes its input, behind a proxy. */
async function echo(fate: Fate = {}) {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received.push(chunk as Buffer);
      socket.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = await startTcpProxy({ port: (server.address() as AddressInfo).port, fate: () => fate });
  const client = connect(proxy.port, "127.0.0.1");
  client.on("error", () => {});
  await once(client, "connect");
  onTestFinished(async () => {
    client.destroy();
    await proxy.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { proxy, client, received: () => Buffer.concat(received) };
}

async function read(socket: Socket, bytes: number): Promise<{ all: Buffer; chunks: number }> {
  const chunks: Buffer[] = [];
  while (Buffer.concat(chunks).length < bytes) chunks.push((await once(socket, "data"))[0]);
  return { all: Buffer.concat(chunks), chunks: chunks.length };
}

const text = Buffer.from("a line of text, and ein paar Umlaute: äöü\n".repeat(20));

test.each<[string, Fate]>([
  ["as they are", {}],
  ["in single bytes", { pieces: 1 }],
  ["late", { delay: 5 }],
  ["slowly", { bytesPerSecond: 50_000 }],
])("bytes arrive %s, all of them and in order", async (_, fate) => {
  const { client, received } = await echo(fate);
  client.write(text);
  expect((await read(client, text.length)).all).toEqual(text);
  expect(received()).toEqual(text);
});

test("cuts a connection after so many bytes of the answer", async () => {
  const { client, proxy } = await echo({ end: { how: "close", afterBytes: 10 } });
  client.write(text);
  const { all } = await read(client, 10);
  expect(all).toEqual(text.subarray(0, 10));
  await once(client, "close");
  await expect.poll(() => proxy.open).toBe(0);
});

test("the client sees a reset as ECONNRESET", async () => {
  const { client, proxy } = await echo();
  const error = new Promise<NodeJS.ErrnoException>((resolve) => client.once("error", resolve));
  await expect.poll(() => proxy.open).toBe(1);
  proxy.reset();
  expect((await error).code).toBe("ECONNRESET");
});

test("a half-open connection stays silent until the client closes it", async () => {
  const { client, proxy, received } = await echo();
  client.write("first");
  await read(client, 5);
  proxy.silence();
  let said = 0;
  client.on("data", () => said++);
  client.write("second");
  const other = connect(proxy.port, "127.0.0.1");
  other.write("third");
  await read(other, 5);
  expect(received().toString()).toBe("firstthird");
  expect(said).toBe(0);
  client.destroy();
  other.destroy();
  await expect.poll(() => proxy.open).toBe(0);
});

test("loses an answer and not its request", async () => {
  const { client, received } = await echo({ end: { how: "lost", afterBytes: 5 } });
  client.write("first");
  await read(client, 5);
  let said = 0;
  client.on("data", () => said++);
  client.write("commit");
  await expect.poll(() => received().toString()).toBe("firstcommit");
  expect(said).toBe(0);
});

test("resets refused connections, and accepts them after healing", async () => {
  const { proxy } = await echo({ end: { how: "close", afterBytes: 1 } });
  proxy.refuse(true);
  const refused = connect(proxy.port, "127.0.0.1");
  refused.on("error", () => {});
  await new Promise((resolve) => refused.once("close", resolve));
  proxy.heal();
  const client = connect(proxy.port, "127.0.0.1");
  client.write(text);
  expect((await read(client, text.length)).all).toEqual(text);
  client.destroy();
});

test("a reset during a close leaves no socket open", async () => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  await expect.poll(sockets).toBe(0);
  const { proxy: behind, client: other } = await echo();
  const ends: (() => void)[] = [];
  const clock = { ...systemClock, setTimeout: (callback: () => void) => ends.push(callback) };
  const fate = (): Fate => ({ end: { how: "close", afterMs: 1 } });
  const proxy = await startTcpProxy({ port: behind.port, fate, clock });
  const client = connect(proxy.port, "127.0.0.1");
  client.on("error", () => {});
  client.write("here");
  await read(client, 4);
  ends[0]?.();
  proxy.reset();
  await proxy.close();
  client.destroy();
  other.destroy();
  await expect.poll(sockets).toBe(0);
});

test("the seed alone decides the fates", () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => drawFate(random));
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});
