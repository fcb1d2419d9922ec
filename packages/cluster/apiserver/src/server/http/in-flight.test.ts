import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { configMap, startTestServer, type TestServer } from "../../testing/test-server.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const tooMany = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "Too many requests, please try again later.",
  reason: "TooManyRequests",
  details: { retryAfterSeconds: 1 },
  code: 429,
};

/** Sends a request whose body never ends. */
async function unfinished(server: TestServer, length: number): Promise<TLSSocket> {
  const socket = connect({ port: server.port, ca: server.caCertificate, servername: "localhost" });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  const head = [
    `POST ${configMaps} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${server.token}`,
    "content-type: application/json",
    `content-length: ${length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n{`);
  return socket;
}

test("answers requests beyond the limit with 429, except for health", async () => {
  const server = await startTestServer({ limits: { requests: 2 } });
  const unfinishedRequests = [await unfinished(server, 100), await unfinished(server, 100)];
  await expect.poll(async () => (await server.request("GET", configMaps)).status).toBe(429);
  const answer = await server.request("GET", configMaps);
  expect(answer.json()).toEqual(tooMany);
  expect(answer.headers["retry-after"]).toBe("1");
  expect((await server.request("GET", "/readyz")).status).toBe(200);
  for (const socket of unfinishedRequests) socket.destroy();
  await expect.poll(async () => (await server.request("GET", configMaps)).status).toBe(200);
});

test("counts a watch as long-running, and frees its request slot", async () => {
  const server = await startTestServer({ limits: { requests: 1, longRunning: 1 } });
  const watch = await server.watch(`${configMaps}?watch=1`);
  expect(watch.status).toBe(200);
  expect((await server.request("GET", configMaps)).status).toBe(200);
  const second = await server.request("GET", `${configMaps}?watch=1`);
  expect(second.json()).toEqual(tooMany);
  watch.close();
  await expect
    .poll(async () => {
      const again = await server.watch(`${configMaps}?watch=1`);
      again.close();
      return again.status;
    })
    .toBe(200);
});

test("answers bodies beyond the budget with 429, without reading them", async () => {
  const server = await startTestServer({ limits: { bodyBytes: 1_000_000 } });
  const large = configMap("large", { text: "x".repeat(500_000) });
  const unfinishedRequests = await unfinished(server, 900_000);
  await expect.poll(async () => (await server.request("POST", configMaps, { body: large })).status).toBe(429);
  expect((await server.request("POST", configMaps, { body: configMap("small") })).status).toBe(201);
  unfinishedRequests.destroy();
  await expect.poll(async () => (await server.request("POST", configMaps, { body: large })).status).toBe(201);
});
