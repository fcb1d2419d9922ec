import { events } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createScheme } from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient, eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { type BucketStore, buckets, createBucketReconciler, setupBuckets } from "./finalizer.ts";
import { crdOf, startOperator } from "./testing/operator.ts";

const cluster = await startTestCluster({ crds: [crdOf(buckets)] });
afterAll(() => cluster.stop());

/** A store in memory. */
function memoryStore(): BucketStore & { ids: Set<string> } {
  const ids = new Set<string>();
  return { ids, ensure: async (id) => void ids.add(id), remove: async (id) => void ids.delete(id) };
}

const start = (store: BucketStore) =>
  startOperator(cluster, {
    resources: [buckets],
    role: "finalizer.role.yaml",
    setup: (manager) => setupBuckets(manager, store),
  });

test("adds the finalizer before it creates the bucket", async () => {
  const store = memoryStore();
  const seen: unknown[] = [];
  await using operator = await start({
    ...store,
    async ensure(id, signal) {
      const { items } = await cluster.client.resource(buckets).namespace(operator.namespace).list();
      seen.push(items.map(({ metadata }) => metadata?.finalizers));
      return store.ensure(id, signal);
    },
  });
  await cluster.client
    .resource(buckets)
    .namespace(operator.namespace)
    .create({ metadata: { name: "photos" } });
  await eventually(() => expect(store.ids.size).toBe(1));
  expect(seen[0]).toEqual([["storage.example.com/bucket"]]);
});

test("keeps a Bucket while its cleanup fails, and records an Event", async () => {
  const store = memoryStore();
  let isDown = true;
  await using operator = await start({
    ...store,
    remove: async (id, signal) => {
      // What fetch rejects with when nothing listens at either address of a host.
      const cause = new AggregateError([new Error("connect to ::1"), new Error("connect to 127.0.0.1")]);
      if (isDown) throw new TypeError("fetch failed", { cause });
      return store.remove(id, signal);
    },
  });
  const { namespace } = operator;
  const api = cluster.client.resource(buckets).namespace(namespace);
  await api.create({ metadata: { name: "photos" } });
  await eventually(() => expect(store.ids.size).toBe(1));

  await api.delete("photos");
  await eventually(async () => {
    const { items } = await cluster.client.resource(events).namespace(namespace).list();
    expect(items).toMatchObject([{ reason: "CleanupFailed", involvedObject: { name: "photos" } }]);
    expect(items[0]?.message).toMatch(
      / was not deleted: fetch failed: connect to ::1, connect to 127.0.0.1$/,
    );
  });
  expect((await api.list()).items).toHaveLength(1);

  isDown = false;
  await eventually(async () => expect((await api.list()).items).toEqual([]));
  expect(store.ids.size).toBe(0);
  await eventually(() => {
    const { needed, granted } = operator.permissions();
    expect(needed).toEqual(granted);
  });
});

test("releases an abandoned Bucket although its cleanup fails", async () => {
  const store = memoryStore();
  await using operator = await start({
    ...store,
    remove: () => Promise.reject(new Error("the account is closed")),
  });
  const api = cluster.client.resource(buckets).namespace(operator.namespace);
  await api.create({ metadata: { name: "photos" } });
  await eventually(() => expect(store.ids.size).toBe(1));
  await api.delete("photos");
  await api.patch(
    "photos",
    { metadata: { annotations: { "storage.example.com/abandon": "true" } } },
    { type: "merge" },
  );
  await eventually(async () => expect((await api.list()).items).toEqual([]));
});

test("leaves no bucket behind, whichever request fails", async () => {
  const request = { namespace: "shop", name: "photos" };
  const photos = { apiVersion: "storage.example.com/v1", kind: "Bucket", metadata: { ...request, uid: "1" } };
  const writes = await checkFaults(() => {
    const store = memoryStore();
    return {
      client: createFakeClient({ scheme: createScheme(buckets), objects: [photos] }),
      ...{ resource: buckets, request },
      reconciler: (client) => createBucketReconciler(client, store, { event: () => {} }),
      outside: () => [...store.ids],
    };
  });
  // The finalizer is added and, after the cleanup, removed.
  expect(writes).toEqual(["update Bucket shop/photos", "update Bucket shop/photos"]);
});
