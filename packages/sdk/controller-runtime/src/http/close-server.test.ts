import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { type AddressInfo, connect as openSocket, type TcpNetConnectOpts } from "node:net";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { serverCloser } from "./close-server.ts";

/** A server that answers when the test says so, and a client that keeps its connection, as API servers do. */
async function serve(address = "127.0.0.1") {
  const waiting: (() => void)[] = [];
  const server = createServer((_request, response) => {
    waiting.push(() => response.end("done"));
  });
  server.keepAliveTimeout = 120_000;
  const close = serverCloser(server);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  async function ask(): Promise<string> {
    const body = new Promise<string>((resolve, reject) => {
      const outgoing = request({ port, host: "127.0.0.1", agent }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve(`${response.statusCode} ${text} ${response.headers.connection}`);
      });
      outgoing.on("error", reject).end();
    });
    body.catch(() => {});
    return body;
  }
  async function answer(): Promise<void> {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  /** A connection on which the server has received nothing yet. */
  async function connect(options: TcpNetConnectOpts = { port, host: "127.0.0.1" }) {
    const accepted = once(server, "connection");
    const socket = openSocket(options).setEncoding("utf8");
    onTestFinished(() => void socket.destroy());
    let received = "";
    socket.on("data", (text) => {
      received += text;
    });
    await accepted;
    return {
      localPort: socket.localPort ?? 0,
      destroy: () => socket.destroy(),
      write: (text: string) => socket.write(text),
      says: (text: string) => expect.poll(() => received).toContain(text),
      /** Everything that it received. */
      ended: once(socket, "close").then(() => received),
    };
  }
  return { close, ask, answer, waiting, connect, port };
}

const options = { clock: createFakeClock(), patience: 60_000 };

test("ends after the last answer, although the connection is keep-alive", async () => {
  const { close, ask, answer, waiting } = await serve();
  const asked = ask();
  await expect.poll(() => waiting.length).toBe(1);
  const closed = close(options);
  await answer();
  expect(await asked).toContain("200 done");
  await closed;
});

test("closes a busy keep-alive connection after its current request", async () => {
  const { close, ask, answer, waiting } = await serve();
  const asked = ask();
  await expect.poll(() => waiting.length).toBe(1);
  // Sent as soon as the connection is free.
  const another = ask();
  const closed = close(options);
  await answer();
  await asked;
  const next = another.catch(() => "not answered");
  await Promise.race([answer(), next]);
  expect(["200 done close", "not answered"]).toContain(await next);
  const refused = ask();
  await expect(refused).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/);
  await closed;
});

test("answers a first request over an open connection, then closes it", async () => {
  const { close, answer, connect } = await serve();
  const connection = await connect();
  const closed = close(options);
  connection.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await answer();
  const answered = await connection.ended;
  expect(answered).toMatch(/^HTTP\/1.1 200 /);
  expect(answered.toLowerCase()).toContain("connection: close");
  await closed;
});

test("waits five seconds for a connection without a request", async () => {
  const { close, connect } = await serve();
  const clock = createFakeClock();
  const connection = await connect();
  const closed = close({ clock, patience: 60_000 });
  await clock.advance(4_999);
  expect(await Promise.race([closed, clock.advance(0).then(() => "open")])).toBe("open");
  await clock.advance(1);
  expect(await connection.ended).toBe("");
  await closed;
});

test("closes an idle keep-alive connection at once", async () => {
  const { close, connect, answer } = await serve();
  const connection = await connect();
  connection.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await answer();
  await connection.says("done");
  await close(options);
  expect(await connection.ended).toMatch(/^HTTP\/1.1 200 /);
});

// macOS has no second loopback address.
test.skipIf(process.platform === "darwin")(
  "distinguishes connections from one port to two addresses of the server",
  async () => {
    const { close, connect, port } = await serve("0.0.0.0");
    const clock = createFakeClock();
    const localAddress = "127.0.0.1";
    const first = await connect({ port, host: "127.0.0.1", localAddress, localPort: 0 });
    const second = await connect({
      port,
      host: "127.0.0.2",
      localAddress,
      localPort: first.localPort,
    });
    first.destroy();
    await first.ended;
    const closed = close({ clock, patience: 1_000 });
    await clock.advance(1_000);
    expect(await second.ended).toBe("");
    await closed;
  },
);
