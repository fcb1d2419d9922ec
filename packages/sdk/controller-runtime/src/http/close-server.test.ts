import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { serverCloser } from "./close-server.ts";

/** A server whose answers are given when the test says so, and a client that keeps its connection, as API servers do. */
async function serve() {
  const waiting: (() => void)[] = [];
  const server = createServer((_request, response) => {
    waiting.push(() => response.end("done"));
  });
  server.keepAliveTimeout = 120_000;
  const close = serverCloser(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
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
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  return { close, ask, answer, waiting };
}

const options = { clock: createFakeClock(), patience: 60_000 };

test("a server ends with the last answer, although the connection was to be kept", async () => {
  const { close, ask, answer, waiting } = await serve();
  const asked = ask();
  await expect.poll(() => waiting.length).toBe(1);
  const closed = close(options);
  await answer();
  expect(await asked).toContain("200 done");
  await closed;
});

test("who goes on asking over a connection that was there is told to go elsewhere", async () => {
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
