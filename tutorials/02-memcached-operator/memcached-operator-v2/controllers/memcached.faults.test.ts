import { deployments, type Pod } from "@operator-path/client";
import { createLogger, createScheme } from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient, interceptClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcacheds } from "../api/v1/zz_generated.resources.ts";
import { createMemcachedReconciler } from "./memcached.controller.ts";

// A request can fail in many ways: another client wrote first, the server has a problem, the object is already deleted.
// Here each request of a Memcached's life fails once in each way. Afterwards the cluster must look as if it had not.

const request = { namespace: "shop", name: "sample" };
const sample = {
  apiVersion: "cache.example.com/v1",
  kind: "Memcached",
  metadata: request,
  spec: { replicas: 1 },
};

function pod(name: string, memcached: string, app = "memcached"): Pod {
  const labels = { app, memcached_cr: memcached };
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name, labels } };
}

const createCluster = () =>
  createFakeClient({
    scheme: createScheme(memcacheds),
    objects: [
      sample,
      pod("sample-b", "sample"),
      pod("sample-a", "sample"),
      pod("other-a", "other"),
      pod("web", "sample", "nginx"),
    ],
    statusSubresources: [memcacheds],
  });

test("a failed request is tried again, and changes nothing else", async () => {
  const writes = await checkFaults(() => ({
    client: createCluster(),
    resource: memcacheds,
    request,
    reconciler: (client) => createMemcachedReconciler({ client }),
    steps: [
      async (client) => {
        const memcached = await client.get(memcacheds, request);
        expect(memcached.status?.nodes).toEqual(["sample-a", "sample-b"]);
        await client.update({ ...memcached, spec: { replicas: 2 } });
      },
      async (client) => expect((await client.get(deployments, request)).spec?.replicas).toBe(2),
    ],
  }));
  expect(writes).toEqual([
    "apply Deployment shop/sample",
    "update Memcached/status shop/sample",
    "apply Deployment shop/sample",
  ]);
});

test("the names of the Pods are sorted, whatever the order of the cache", async () => {
  const cluster = createCluster();
  const client = interceptClient(cluster, {
    list: async (inner, resource, options) => (await inner.list(resource, options)).reverse(),
  });
  const reconcile = createMemcachedReconciler({ client });
  for (let i = 0; i < 2; i++) await reconcile(request, { log: createLogger({ level: "silent" }) });
  expect((await cluster.get(memcacheds, request)).status?.nodes).toEqual(["sample-a", "sample-b"]);
});
