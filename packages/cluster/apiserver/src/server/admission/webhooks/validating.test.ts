import { request as httpsRequest } from "node:https";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import { configMap, startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { startWebhookScene } from "../../../testing/webhook-scene.ts";
import { patchResponse } from "../../../testing/webhook-server.ts";

const scene = await startWebhookScene();
const configMaps = "/api/v1/namespaces/default/configmaps";

describe("a validating webhook", () => {
  test("receives the object as it will be stored, and the old one", async () => {
    const server = await startTestServer();
    const created = await server.create(configMaps, configMap("a", { a: "1" }));
    const path = await scene.register(server, "Validating");
    scene.hooks.on(path, () => ({}));
    await server.request("PUT", `${configMaps}/a`, { body: configMap("a", { a: "2" }) });
    await server.request("DELETE", `${configMaps}/a`, { body: { gracePeriodSeconds: 3 } });
    expect(scene.asked(path).map(({ request }) => request)).toMatchObject([
      {
        operation: "UPDATE",
        object: { data: { a: "2" }, metadata: { uid: created.metadata.uid } },
        oldObject: { data: { a: "1" } },
        options: { kind: "UpdateOptions" },
      },
      {
        operation: "DELETE",
        object: null,
        oldObject: { data: { a: "2" } },
        options: { kind: "DeleteOptions" },
      },
    ]);
  });

  test.each<[string, JsonObject | undefined, JsonObject]>([
    ["nothing", undefined, { code: 400, message: "denied the request without explanation" }],
    ["a message", { message: "no" }, { code: 400, message: "denied the request: no" }],
    [
      "a reason",
      { reason: "Because", code: 200 },
      { code: 400, reason: "Because", message: "denied the request: Because" },
    ],
    [
      "everything",
      { message: "no", reason: "Teapot", code: 418, details: { causes: [{ field: "a" }] } },
      {
        code: 418,
        reason: "Teapot",
        message: "denied the request: no",
        details: { causes: [{ field: "a" }] },
      },
    ],
  ])("refuses with %s", async (_what, status, expected) => {
    const server = await startTestServer();
    const path = await scene.register(server, "Validating");
    scene.hooks.on(path, () => ({ allowed: false, warnings: ["careful"], ...(status && { status }) }));
    const answer = await server.request("POST", configMaps, { body: configMap("a") });
    const message = `admission webhook "a.example.com" ${expected.message}`;
    expect(answer.json()).toMatchObject({ status: "Failure", ...expected, message });
    expect(answer.status).toBe(expected.code);
    expect((await server.request("GET", `${configMaps}/a`)).status).toBe(404);
  });

  test("warns the client", async () => {
    const server = await startTestServer();
    const path = await scene.register(server, "Validating");
    scene.hooks.on(path, () => ({ warnings: ["careful now"] }));
    const answer = await server.request("POST", configMaps, { body: configMap("a") });
    expect(answer.headers.warning).toBe('299 - "careful now"');
  });

  test("cannot change the object", async () => {
    const server = await startTestServer();
    const path = await scene.register(server, "Validating");
    scene.hooks.on(path, () => patchResponse([{ op: "remove", path: "/data" }]));
    const answer = await server.request("POST", configMaps, { body: configMap("a") });
    expect(answer.json().message).toBe(
      'Internal error occurred: failed calling webhook "a.example.com": received invalid webhook response: validating webhook may not return response.patch',
    );
  });

  test("is called in parallel with others, over reused connections", async () => {
    const server = await startTestServer();
    const paths = [await scene.register(server, "Validating"), await scene.register(server, "Validating")];
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    for (const path of paths) {
      scene.hooks.on(path, async () => {
        if (++waiting === 2) both.resolve();
        await both.promise;
        return {};
      });
    }
    await server.create(configMaps, configMap("a"));
    const before = scene.hooks.connections();
    for (let index = 0; index < 5; index++) await server.create(configMaps, configMap(`b${index}`));
    expect(scene.hooks.connections()).toBe(before);
  });
});

describe("dry run", () => {
  test("is part of the review", async () => {
    const server = await startTestServer();
    const path = await scene.register(server, "Validating");
    scene.hooks.on(path, () => ({}));
    await server.request("POST", `${configMaps}?dryRun=All`, { body: configMap("a") });
    expect(scene.asked(path)[0]?.request).toMatchObject({ dryRun: true, options: { dryRun: ["All"] } });
  });
});

test("stops waiting for the webhook when the client disconnects", async () => {
  const server = await startTestServer();
  const path = await scene.register(server, "Validating", { timeoutSeconds: 30 });
  const gone = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  scene.hooks.onRaw(path, (_review, response) => {
    response.on("close", () => gone.resolve());
    arrived.resolve();
  });
  const creating = fetchAndLeave(server);
  await arrived.promise;
  creating.abort();
  await gone.promise;
  expect((await server.request("GET", `${configMaps}/left`)).status).toBe(404);
});

function fetchAndLeave(server: TestServer): AbortController {
  const leaving = new AbortController();
  const { port, token, caCertificate: ca } = server;
  const outgoing = httpsRequest({
    host: "127.0.0.1",
    port,
    ca,
    servername: "localhost",
    method: "POST",
    path: configMaps,
    signal: leaving.signal,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  outgoing.on("error", () => {});
  outgoing.end(JSON.stringify(configMap("left")));
  return leaving;
}
