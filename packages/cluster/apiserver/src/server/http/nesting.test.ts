import { expect, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";

const collection = "/api/v1/namespaces/default/configmaps";

test.each([
  ["application/json", "[".repeat(200_000)],
  ["application/json", `{"metadata":{"name":"a"},"x":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
  ["application/yaml", "[".repeat(100_000)],
  ["application/yaml", "- ".repeat(100_000)],
  ["application/yaml", "a: &a [*a, *a]"],
])("rejects %s with endless nesting", async (type, body) => {
  const server = await startTestServer();
  const answer = await server.request("POST", collection, { body, headers: { "content-type": type } });
  expect(answer.status, answer.text.slice(0, 300)).toBe(400);
});

test("accepts deep, but not endless nesting", async () => {
  const server = await startTestServer();
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "deeps.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "deeps", singular: "deep", kind: "Deep", listKind: "DeepList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  const deep = `${'{"a":'.repeat(950)}1${"}".repeat(950)}`;
  const path = "/apis/example.com/v1/deeps";
  const body = `{"apiVersion":"example.com/v1","kind":"Deep","metadata":{"name":"d"},"x":${deep}}`;
  expect((await server.request("POST", path, { body })).status).toBe(201);
  const headers = { "content-type": "application/merge-patch+json" };
  const patched = await server.request("PATCH", `${path}/d`, { body: `{"y":${deep}}`, headers });
  expect(patched.status, patched.text.slice(0, 300)).toBe(200);
  expect(patched.text).toContain(`"y":${deep}`);
});

test("rejects a protobuf body with endless nesting", async () => {
  const server = await startTestServer();
  const body = Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(100_000, 0x0a)]);
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  expect((await server.request("POST", collection, { body, headers })).status).toBe(400);
});

test.each([
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
])("rejects a patch (%s) with endless nesting", async (type) => {
  const server = await startTestServer();
  await server.create(collection, { metadata: { name: "a" } });
  const body = `{"data":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`;
  const answer = await server.request("PATCH", `${collection}/a`, {
    body,
    headers: { "content-type": type },
  });
  expect(answer.status, answer.text.slice(0, 300)).toBe(400);
});
