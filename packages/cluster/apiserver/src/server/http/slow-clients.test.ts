import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect } from "node:tls";
import { createServingCertificate } from "@operator-path/client/certificates";
import { expect, onTestFinished, test } from "vitest";
import { configMap, startTestServer } from "../../testing/test-server.ts";
import { startHttpServer } from "./server.ts";

test("answers a body that does not arrive in time with 408, and closes its connection", async () => {
  const certificate = createServingCertificate(["localhost"], Date.now());
  const server = await startHttpServer({
    certificate,
    port: 0,
    requestTimeout: 200,
    authenticate: () => ({ username: "jane", groups: [] }),
    authorize: (asked) => asked,
    async handle(asked) {
      return { status: 200, body: [await asked.body()] };
    },
    upgrades: () => true,
    async upgrade() {},
    log() {},
  });
  onTestFinished(() => server.stop());
  const socket = connect({ port: server.port, ca: certificate.caCertificate, servername: "localhost" });
  await once(socket, "secureConnect");
  const head =
    "POST /api HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer x\r\ncontent-length: 100\r\n\r\n";
  socket.write(`${head}only the beginning`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
});

test("disconnects a watcher that never reads, while another one misses nothing", async () => {
  const server = await startTestServer();
  const collection = "/api/v1/namespaces/default/configmaps";
  const stalled = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${server.url}${collection}?watch=1&resourceVersion=1`, {
      ca: server.caCertificate,
      agent: false,
      headers: { authorization: `Bearer ${server.token}` },
    })
      .on("response", resolve)
      .on("error", reject)
      .end();
  });
  stalled.pause();
  const reader = await server.watch(`${collection}?watch=1&resourceVersion=1`);
  const names: string[] = [];
  // More than the server queues for a client and the sockets between them hold.
  for (let index = 0; index < 40; index++) {
    await server.create(collection, configMap(`large-${index}`, { text: "x".repeat(1024 * 1024) }));
    let event = await reader.next();
    while (event?.object.metadata.name === "kube-root-ca.crt") event = await reader.next();
    names.push(event?.object.metadata.name ?? "the end");
  }
  expect(names).toEqual(Array.from({ length: 40 }, (_, index) => `large-${index}`));
  stalled.on("error", () => {});
  stalled.resume();
  await new Promise((resolve) => stalled.once("close", resolve));
  expect(stalled.complete).toBe(false);
});
