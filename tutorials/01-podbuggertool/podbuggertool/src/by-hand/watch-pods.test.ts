import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { KubeConfig, type V1Pod } from "@kubernetes/client-node";
import { watchPods } from "./watch-pods.ts";

const pod = (name: string, phase: string, namespace = "shop") => ({
  metadata: { namespace, name },
  status: { phase },
});

/** Plays these events as an API server does, and ends the response. Returns the map and the calls of `onEvent`. */
async function play(...events: [type: string, object: object][]) {
  const server = createServer((_, response) => {
    for (const [type, object] of events) response.write(`${JSON.stringify({ type, object })}\n`);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(
    { name: "test", server: `http://127.0.0.1:${port}`, skipTLSVerify: true },
    { name: "me" },
  );
  const pods = new Map<string, V1Pod>();
  const calls: string[] = [];
  try {
    await watchPods(kubeConfig, pods, (type, key) => calls.push(`${type} ${key} of ${pods.size}`));
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const phases = Object.fromEntries([...pods].map(([key, { status }]) => [key, status?.phase]));
  return { phases, calls };
}

test("keeps the latest state of each Pod, by namespace/name", async () => {
  const { phases } = await play(
    ["ADDED", pod("one", "Pending")],
    ["ADDED", pod("one", "Pending", "bar")],
    ["MODIFIED", pod("one", "Running")],
  );
  assert.deepEqual(phases, { "shop/one": "Running", "bar/one": "Pending" });
});

test("forgets a Pod that is deleted", async () => {
  const { phases } = await play(
    ["ADDED", pod("one", "Running")],
    ["ADDED", pod("two", "Running")],
    ["DELETED", pod("one", "Running")],
  );
  assert.deepEqual(phases, { "shop/two": "Running" });
});

test("reports each change after the map has it", async () => {
  const { calls } = await play(["ADDED", pod("one", "Running")], ["DELETED", pod("one", "Running")]);
  assert.deepEqual(calls, ["ADDED shop/one of 1", "DELETED shop/one of 0"]);
});

test("does not take an error or a bookmark for a Pod", async () => {
  const { phases, calls } = await play(
    ["ADDED", pod("one", "Running")],
    ["BOOKMARK", { metadata: { resourceVersion: "7" } }],
    ["ERROR", { kind: "Status", code: 410, message: "too old resource version" }],
  );
  assert.deepEqual(phases, { "shop/one": "Running" });
  assert.deepEqual(calls, ["ADDED shop/one of 1"]);
});
