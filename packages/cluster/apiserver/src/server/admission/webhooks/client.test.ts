import type { ServerResponse } from "node:http";
import { createFakeClock } from "@operator-path/client/testing";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import { configMap, startTestServer } from "../../../testing/test-server.ts";
import { startWebhookScene } from "../../../testing/webhook-scene.ts";

const scene = await startWebhookScene(["hook.hooks.svc", "elsewhere.hooks.svc"]);
const configMaps = "/api/v1/namespaces/default/configmaps";
let count = 0;

describe("a webhook that cannot be called", () => {
  const failures: [string, (path: string) => void, string][] = [
    ["does not exist", () => {}, "failed to call webhook: the server could not find the requested resource"],
    [
      "fails",
      (path) => scene.hooks.onRaw(path, (_review, response) => void response.writeHead(500).end("boom")),
      'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      "closes the connection",
      (path) => scene.hooks.onRaw(path, (_review, response) => void response.socket?.destroy()),
      'failed to call webhook: Post "<url>?timeout=1s": EOF',
    ],
    [
      "sends an empty response",
      (path) => scene.hooks.onRaw(path, (_review, response) => void response.end()),
      "failed to call webhook: 0-length response with status code: 200 and content type: application/json",
    ],
    [
      "answers something else",
      (path) => scene.hooks.onRaw(path, (_review, response) => void response.end('{"response":{"uid":"x"}}')),
      "received invalid webhook response: expected response.uid=",
    ],
    [
      "sends a review without a response",
      (path) => scene.hooks.onRaw(path, (_review, response) => void response.end("{}")),
      "received invalid webhook response: webhook response was absent",
    ],
  ];

  test.each(failures)("leaves it to failurePolicy when it %s", async (_how, prepare, words) => {
    const server = await startTestServer();
    const path = await scene.register(server, "Validating", { timeoutSeconds: 1 });
    prepare(path);
    const answer = await server.request("POST", configMaps, { body: configMap("a") });
    expect(answer.status).toBe(500);
    const expected = words.replace("<url>", `${scene.hooks.url}${path}`);
    expect(answer.json().message).toContain(
      `Internal error occurred: failed calling webhook "a.example.com": ${expected}`,
    );
    const lenient = await startTestServer();
    const other = await scene.register(lenient, "Mutating", { timeoutSeconds: 1, failurePolicy: "Ignore" });
    prepare(other);
    expect((await lenient.request("POST", configMaps, { body: configMap("a") })).status).toBe(201);
  });

  test.each([
    [
      "it does not listen",
      { url: "https://127.0.0.1:1/" },
      "dial tcp 127.0.0.1:1: connect: connection refused",
    ],
    [
      "its certificate has another authority",
      { url: `${scene.hooks.url}/x` },
      "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    ],
    [
      "its certificate is for another name",
      { service: { namespace: "hooks", name: "unnamed" }, caBundle: scene.hooks.caBundle },
      "x509: certificate is valid for localhost, 127.0.0.1, hook.hooks.svc, elsewhere.hooks.svc, not unnamed.hooks.svc",
    ],
    [
      "its Service has no endpoints",
      { service: { namespace: "hooks", name: "gone" }, caBundle: scene.hooks.caBundle },
      'Post "https://gone.hooks.svc:443/?timeout=10s": no endpoints available for service "gone"',
    ],
  ])("because %s", async (_why, clientConfig, words) => {
    const server = await startTestServer({
      resolveService: async (_namespace, name) => {
        if (name === "gone") throw new Error('no endpoints available for service "gone"');
        return { host: "127.0.0.1", port: scene.hooks.port };
      },
    });
    await scene.register(server, "Validating", { clientConfig });
    const answer = await server.request("POST", configMaps, { body: configMap("a") });
    expect(answer.json().message).toContain(words);
  });
});

test("calls a webhook behind a Service, which needs a certificate of the Service", async () => {
  const resolved: string[] = [];
  const server = await startTestServer({
    resolveService: async (namespace, name, port) => {
      resolved.push(`${namespace}/${name}:${port}`);
      return { host: "127.0.0.1", port: scene.hooks.port };
    },
  });
  const path = `/service-${++count}`;
  scene.hooks.on(path, () => ({}));
  await scene.register(server, "Validating", {
    clientConfig: {
      service: { namespace: "hooks", name: "hook", path, port: 8443 },
      caBundle: scene.hooks.caBundle,
    },
  });
  await server.create(configMaps, configMap("a"));
  expect(resolved).toEqual(["hooks/hook:8443"]);
  expect(scene.asked(path)[0]?.headers.host).toBe("hook.hooks.svc:8443");
});

test("gives up on a webhook that takes too long", async () => {
  const clock = createFakeClock(Date.parse("2026-01-01T00:00:00Z"));
  const server = await startTestServer({ clock });
  const path = await scene.register(server, "Validating", { timeoutSeconds: 7 });
  const arrived = Promise.withResolvers<void>();
  scene.hooks.onRaw(path, () => arrived.resolve());
  const creating = server.request("POST", configMaps, { body: configMap("a") });
  await arrived.promise;
  await clock.advance(7_000);
  expect((await creating).json().message).toBe(
    `Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post "${scene.hooks.url}${path}?timeout=7s": context deadline exceeded`,
  );
});

/**
 * Answers, but closes the connection of the request for `boom`. Returns the connections with their requests.
 */
function hangUpOn(path: string) {
  const calls: { name: unknown; socket: ServerResponse["socket"] }[] = [];
  scene.hooks.onRaw(path, (review, response) => {
    const { uid, name } = review.request as JsonObject;
    calls.push({ name, socket: response.socket });
    if (name === "boom") return void response.socket?.destroy();
    const { apiVersion, kind } = review;
    response.end(JSON.stringify({ apiVersion, kind, response: { uid, allowed: true } }));
  });
  return calls;
}

test("does not call a webhook again that has closed a used connection, because it may have acted", async () => {
  const server = await startTestServer();
  const path = await scene.register(server, "Validating");
  const calls = hangUpOn(path);
  await server.create(configMaps, configMap("fine"));
  const answer = await server.request("POST", configMaps, { body: configMap("boom") });
  expect(answer.json()).toMatchObject({ code: 500, message: expect.stringMatching(/: EOF$/) });
  expect(calls.map(({ name }) => name)).toEqual(["fine", "boom"]);
  expect(calls[1]?.socket).toBe(calls[0]?.socket);
});

test("opens a new connection when the webhook has closed the old one between calls", async () => {
  const server = await startTestServer();
  const path = await scene.register(server, "Validating");
  const calls = hangUpOn(path);
  await server.create(configMaps, configMap("a"));
  const { socket } = calls[0] ?? {};
  // Resolves after the client has also closed it, and therefore knows.
  await new Promise((resolve) => socket?.once("close", resolve).end());
  await server.create(configMaps, configMap("b"));
  expect(calls.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(calls[1]?.socket).not.toBe(socket);
});

test("rejects a webhook configuration without a supported review version", async () => {
  const server = await startTestServer();
  const answer = await server.request(
    "POST",
    `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations`,
    {
      body: { metadata: { name: "a" }, webhooks: [scene.webhook("/x", { admissionReviewVersions: ["v9"] })] },
    },
  );
  expect(answer.json().message).toContain("must include at least one of v1, v1beta1");
});
