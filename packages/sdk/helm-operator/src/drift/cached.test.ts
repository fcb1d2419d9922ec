import { configMaps, deployments } from "@operator-path/client";
import { createCache, mergeFrom } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startDriftCluster } from "./testing/drift-bench.ts";

let running: Awaited<ReturnType<typeof startDriftCluster>>;
beforeAll(async () => {
  running = await startDriftCluster();
});
afterAll(async () => running?.stop());

const manifest = `
{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a: "1" } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx, resources: { limits: { cpu: 1000m } } }] }
`;

test("sends no request while nothing differs in the cache, and does not take a stale cache for drift", async () => {
  const bench = await running.bench();
  const cache = createCache(running.cluster.client);
  const stop = new AbortController();
  const ended = cache.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const cached = bench.restarted(cache);
  expect(await bench.repair(manifest, undefined, cached)).toHaveLength(2);
  const key = { namespace: bench.namespace, name: "a" };
  const isHere = async () => {
    const { metadata } = await cache.get(configMaps, key);
    const web = await cache.get(deployments, { ...key, name: "web" });
    expect([metadata, web.metadata].map((each) => each?.ownerReferences?.length)).toEqual([1, 1]);
  };
  await eventually(isHere, { timeout: 60_000 });
  bench.requests();
  for (let round = 0; round < 3; round++) {
    expect(await bench.repair(manifest, undefined, cached)).toEqual([]);
  }
  expect(bench.requests()).toEqual([]);

  // A reader that lags behind the server, as right after a write by helm.
  const stale = bench.restarted({
    async get(resource, options) {
      const object = await cache.get(resource, options);
      return resource.kind === "ConfigMap" ? { ...object, data: { a: "0" } } : object;
    },
    list: cache.list,
  });
  expect(await bench.repair(manifest, undefined, stale)).toEqual([]);
  expect(bench.writes()).toEqual([]);

  const live = await bench.client.get(configMaps, key);
  await bench.client.patch({ ...live, data: { a: "2" } }, mergeFrom(live), { fieldManager: "other" });
  const drifted = async () => expect((await cache.get(configMaps, key)).data).toEqual({ a: "2" });
  await eventually(drifted, { timeout: 60_000 });
  expect(await bench.repair(manifest, undefined, cached)).toMatchObject([
    { action: "patched", fields: ["data.a"] },
  ]);
});
