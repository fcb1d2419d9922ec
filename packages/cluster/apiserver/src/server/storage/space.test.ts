import { expect, test } from "vitest";
import { configMap, startTestServer } from "../../testing/test-server.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const mebibyte = 1024 * 1024;

test("refuses creates beyond the quota, but not updates and deletes", async () => {
  const server = await startTestServer({ history: { quotaBytes: 8 * mebibyte } });
  const text = "x".repeat(mebibyte - 10_000);
  const create = (name: string) => server.request("POST", configMaps, { body: configMap(name, { text }) });
  let made = 0;
  let last = await create("c0");
  while (last.status === 201) last = await create(`c${++made}`);

  // An object counts together with its encoding.
  expect(made).toBe(4);
  expect(last.status).toBe(500);
  expect(last.json()).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "etcdserver: mvcc: database space exceeded",
    code: 500,
  });
  const labelled = await server.request("PATCH", `${configMaps}/c0`, {
    body: { metadata: { labels: { a: "b" } } },
    headers: { "content-type": "application/merge-patch+json" },
  });
  expect(labelled.status).toBe(200);
  expect((await server.request("DELETE", `${configMaps}/c0`)).status).toBe(200);
  expect((await create("again")).status).toBe(201);
});

test("refuses an object of more than 1.5 MiB", async () => {
  const server = await startTestServer();
  const largest = configMap("large", { text: "x".repeat(mebibyte) });
  expect((await server.request("POST", configMaps, { body: largest })).status).toBe(201);
  const env = { name: "A", value: "x".repeat(1.6 * mebibyte) };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "large" },
    spec: { containers: [{ name: "a", image: "busybox", env: [env] }] },
  };
  await server.create("/api/v1/namespaces/default/serviceaccounts", {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default" },
  });
  const answer = await server.request("POST", "/api/v1/namespaces/default/pods", { body: pod });
  expect([answer.status, answer.json<{ message: string }>().message]).toEqual([
    500,
    "etcdserver: request is too large",
  ]);
});
