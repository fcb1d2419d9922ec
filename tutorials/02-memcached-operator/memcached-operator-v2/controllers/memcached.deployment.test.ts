import { setImmediate } from "node:timers/promises";
import { type Deployment, deployments, type Pod, type Resource } from "@operator-path/client";
import { createLogger, createScheme, setControllerReference } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import type { Memcached } from "../api/v1/memcached.types.ts";
import { memcacheds } from "../api/v1/zz_generated.resources.ts";
import { createMemcachedReconciler } from "./memcached.controller.ts";

// These tests reconcile once or a few times on a fake client. No other controller runs beside it.

const request = { namespace: "shop", name: "sample" };
const context = { log: createLogger({ level: "silent" }) };

function memcached(size: number, more: Memcached["metadata"] = {}): Memcached {
  return {
    apiVersion: "cache.example.com/v1",
    kind: "Memcached",
    metadata: { ...request, uid: "1", ...more },
    spec: { replicas: size },
  };
}

/** Returns a Deployment as the operator has created it, with a change by another client. */
function deployment(replicas: number, owner?: Memcached): Deployment {
  const labels = { app: "memcached", memcached_cr: "sample" };
  const object: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...request },
    spec: {
      replicas,
      minReadySeconds: 7,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "memcached", image: "memcached" }] } },
    },
  };
  return owner ? setControllerReference(owner, object) : object;
}

function pod(name: string, namespace: string, memcached: string): Pod {
  const labels = { app: "memcached", memcached_cr: memcached };
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace, name, labels } };
}

function start(objects: (Memcached | Deployment | Pod)[]) {
  let writes = 0;
  // A write takes a moment, as it does on a server: the function must wait for it.
  const count = async <T>(write: () => Promise<T>) => {
    await setImmediate();
    writes++;
    return write();
  };
  const client = createFakeClient({
    scheme: createScheme(memcacheds),
    objects,
    statusSubresources: [memcacheds],
    interceptors: {
      // A cache returns a list in any order.
      list: async (inner, resource, options) => (await inner.list(resource, options)).reverse(),
      create: (inner, object, options) => count(() => inner.create(object, options)),
      update: (inner, object, options) => count(() => inner.update(object, options)),
      patch: (inner, object, patch, options) => count(() => inner.patch(object, patch, options)),
      subResourceUpdate: (inner, name, object, options) =>
        count(() => inner.subResource(name).update(object, options)),
      subResourcePatch: (inner, name, object, patch, options) =>
        count(() => inner.subResource(name).patch(object, patch, options)),
    },
  });
  const reconcile = createMemcachedReconciler({ client });
  return { client, reconcile: () => reconcile(request, context), writes: () => writes };
}

test("a Memcached gets a Deployment of its size, and owns it", async () => {
  const { client, reconcile } = start([memcached(3)]);
  await reconcile();
  const { metadata, spec } = await client.get(deployments, request);
  expect(spec?.replicas).toBe(3);
  expect(spec?.selector).toEqual({ matchLabels: { app: "memcached", memcached_cr: "sample" } });
  expect(metadata?.ownerReferences).toMatchObject([{ kind: "Memcached", uid: "1", controller: true }]);
});

test("a Memcached that is being deleted gets no Deployment", async () => {
  const going = { deletionTimestamp: "2026-11-22T00:00:00Z", finalizers: ["foregroundDeletion"] };
  const { client, reconcile } = start([memcached(3, going)]);
  await reconcile();
  expect(await client.list(deployments)).toEqual([]);
});

test("a failed read of the Deployment is an error", async () => {
  let isDown = true;
  const fails = (resource: Resource): boolean => isDown && resource.kind === "Deployment";
  const down = new Error("the server is down");
  const client = createFakeClient({
    scheme: createScheme(memcacheds),
    objects: [memcached(3)],
    interceptors: {
      get: (inner, resource, key) => (fails(resource) ? Promise.reject(down) : inner.get(resource, key)),
      list: (inner, resource, options) =>
        fails(resource) ? Promise.reject(down) : inner.list(resource, options),
    },
  });
  await expect(createMemcachedReconciler({ client })(request, context)).rejects.toThrow("the server is down");
  isDown = false;
  expect(await client.list(deployments)).toEqual([]);
});

test("another size changes the replicas, and nothing else", async () => {
  const { client, reconcile } = start([memcached(5), deployment(3, memcached(3))]);
  await reconcile();
  expect((await client.get(deployments, request)).spec).toMatchObject({ replicas: 5, minReadySeconds: 7 });
});

test("a Deployment of another owner is an error, and stays as it is", async () => {
  // The second owner is an earlier Memcached of the same name.
  for (const foreign of [deployment(1), deployment(1, memcached(1, { uid: "0" }))]) {
    const { client, reconcile } = start([memcached(5), foreign]);
    await expect(reconcile()).rejects.toThrow();
    expect((await client.get(deployments, request)).spec?.replicas).toBe(1);
  }
});

test("the status lists the names of the Memcached's own Pods, in order", async () => {
  const others = [pod("other-a", "shop", "other"), pod("sample-c", "elsewhere", "sample")];
  const own = [pod("sample-b", "shop", "sample"), pod("sample-a", "shop", "sample")];
  const { client, reconcile } = start([memcached(2), deployment(2, memcached(2)), ...others, ...own]);
  await reconcile();
  expect((await client.get(memcacheds, request)).status).toEqual({ nodes: ["sample-a", "sample-b"] });
});

test("the status is written once, and stays an empty list without Pods", async () => {
  const { client, reconcile, writes } = start([memcached(0), deployment(0, memcached(0))]);
  for (let i = 0; i < 3; i++) await reconcile();
  expect((await client.get(memcacheds, request)).status).toEqual({ nodes: [] });
  expect(writes()).toBe(1);
});
