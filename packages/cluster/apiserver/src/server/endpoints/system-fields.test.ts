import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../lib/json/json.ts";
import { configMap, startTestServer, type TestServer } from "../../testing/test-server.ts";
import { startWebhookScene } from "../../testing/webhook-scene.ts";
import { patchResponse } from "../../testing/webhook-server.ts";

// A mutating webhook writes metadata fields that belong to the server. The messages are those of a real
// kube-apiserver. That one, however, stores a deletionTimestamp that a webhook adds to a new object.

const scene = await startWebhookScene();
const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
const long = "2020-01-01T00:00:00Z";

const rules = [
  {
    apiGroups: ["", "apps"],
    apiVersions: ["v1"],
    operations: ["CREATE", "UPDATE"],
    resources: ["configmaps", "deployments"],
  },
];

/** Registers a webhook that applies these operations to every object. */
async function mutate(server: TestServer, operations: JsonObject[]): Promise<string> {
  const path = await scene.register(server, "Mutating", { rules });
  scene.hooks.on(path, () => patchResponse(operations));
  return path;
}

const add = (field: string, value: JsonObject[string]) => ({
  op: "add",
  path: `/metadata/${field}`,
  value,
});
const remove = (field: string) => ({ op: "remove", path: `/metadata/${field}` });

const deployment = {
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "x" }] } },
  },
};

describe("of new objects", () => {
  test("keep the server's values", async () => {
    const server = await startTestServer();
    await mutate(server, [
      add("uid", "mine"),
      add("creationTimestamp", long),
      add("deletionTimestamp", long),
      add("deletionGracePeriodSeconds", 5),
      add("generation", 7),
      remove("namespace"),
    ]);
    await server.request("POST", configMaps, { body: configMap("a", { a: "1" }) });
    const { metadata } = (await server.request("GET", `${configMaps}/a`)).json();
    expect(metadata).toEqual({
      name: "a",
      namespace: "default",
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      creationTimestamp: expect.not.stringMatching(long),
      // The server counts the generations of some kinds only.
      generation: 7,
      resourceVersion: expect.any(String),
      managedFields: expect.anything(),
    });
    const { generation } = (await server.create(deployments, deployment)).metadata;
    expect(generation).toBe(1);
  });

  test("cannot include a resourceVersion", async () => {
    const server = await startTestServer();
    await mutate(server, [add("resourceVersion", "5")]);
    const answer = await server.request("POST", configMaps, { body: configMap("a") });
    expect(answer.json()).toMatchObject({
      code: 500,
      message: "resourceVersion should not be set on objects to be created",
    });
    expect((await server.request("GET", `${configMaps}/a`)).status).toBe(404);
  });
});

describe("of updated objects", () => {
  test("keep their values", async () => {
    const server = await startTestServer();
    const { metadata } = await server.create(deployments, deployment);
    await mutate(server, [add("creationTimestamp", long), add("generation", 99), remove("uid")]);
    const answer = await server.request("PUT", `${deployments}/a`, {
      body: { ...deployment, metadata: { name: "a", labels: { z: "1" } } },
    });
    const { uid, creationTimestamp } = metadata;
    expect(answer.json().metadata).toMatchObject({
      uid,
      creationTimestamp,
      generation: 1,
      labels: { z: "1" },
    });
  });

  const immutable = (field: string, value: string) =>
    `metadata.${field}: Invalid value: "${value}": field is immutable`;
  test.each<[JsonObject, number, string]>([
    [
      add("resourceVersion", "1"),
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [add("uid", "mine"), 422, `ConfigMap "a" is invalid: ${immutable("uid", "mine")}`],
    [
      add("deletionTimestamp", long),
      422,
      `ConfigMap "a" is invalid: ${immutable("deletionTimestamp", long)}`,
    ],
    [add("name", "other"), 422, `ConfigMap "other" is invalid: ${immutable("name", "other")}`],
    [
      remove("name"),
      422,
      `ConfigMap "" is invalid: [metadata.name: Required value: name or generateName is required, ${immutable("name", "")}]`,
    ],
  ])("cannot be changed: %j", async (operation, code, message) => {
    const server = await startTestServer();
    const before = await server.create(configMaps, configMap("a"));
    await mutate(server, [operation]);
    const answer = await server.request("PUT", `${configMaps}/a`, { body: configMap("a", { a: "1" }) });
    expect(answer.json()).toMatchObject({ code, message });
    expect((await server.request("GET", `${configMaps}/a`)).json()).toEqual(before);
  });
});

describe("a generated name", () => {
  const generated = { ...configMap(""), metadata: { generateName: "x-" } };

  test("is set after mutating webhooks and before validating ones", async () => {
    const server = await startTestServer();
    const mutating = await mutate(server, []);
    const validating = await scene.register(server, "Validating", { rules });
    scene.hooks.on(validating, () => ({}));
    const { metadata } = await server.create(configMaps, generated);
    const [before, after] = [mutating, validating].map((path) => scene.asked(path)[0]?.request);
    expect(before?.name ?? "").toBe("");
    expect(before?.object).not.toHaveProperty("metadata.name");
    expect(after).toMatchObject({ name: metadata.name, object: { metadata: { name: metadata.name } } });
  });

  test("that is taken is replaced without calling mutating webhooks again", async () => {
    let same = true;
    const server = await startTestServer({ random: () => (same ? 0 : Math.random()) });
    const taken = await server.create(configMaps, generated);
    const path = await mutate(server, [add("labels", { a: "b" })]);
    const validating = await scene.register(server, "Validating", { rules });
    scene.hooks.on(validating, () => {
      same = false;
      return {};
    });
    const { metadata } = await server.create(configMaps, generated);
    expect(metadata.labels).toEqual({ a: "b" });
    expect(metadata.name).not.toBe(taken.metadata.name);
    expect(scene.asked(path)).toHaveLength(1);
    expect(scene.asked(validating)).toHaveLength(2);
  });

  test("is not needed when a webhook sets one", async () => {
    const server = await startTestServer();
    await mutate(server, [add("name", "mine")]);
    expect((await server.create(configMaps, generated)).metadata.name).toBe("mine");
  });
});
