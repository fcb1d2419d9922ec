import { type Deployment, deployments, pods } from "@operator-path/client";
import { createLogger, createScheme, setControllerReference } from "@operator-path/controller-runtime";
import { createFakeClient, eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import type { Memcached } from "../api/v1/memcached.types.ts";
import { memcacheds } from "../api/v1/zz_generated.resources.ts";
import { createMemcachedReconciler, setupWithManager } from "./memcached.controller.ts";
import { startSuite } from "./suite.ts";

// Without a cluster: one call, of objects that are there.

const request = { namespace: "default", name: "sample" };
const context = { log: createLogger({ level: "silent" }) };
const sample: Memcached = {
  apiVersion: "cache.example.com/v1",
  kind: "Memcached",
  metadata: { ...request, uid: "1" },
  spec: { replicas: 3 },
};

test("a Deployment that happens to have the name is left alone", async () => {
  const foreign: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...request } };
  // A Memcached of this name was deleted, and its Deployment is not yet.
  const earlier = { ...sample, metadata: { ...request, uid: "0" } };
  for (const deployment of [foreign, setControllerReference(earlier, foreign)]) {
    const scheme = createScheme(memcacheds);
    const client = createFakeClient({ scheme, objects: [sample, deployment] });
    const reconcile = createMemcachedReconciler({ client });
    await expect(reconcile(request, context)).rejects.toThrow("not this Memcached's");
    expect((await client.get(deployments, request)).spec).toBeUndefined();
  }
});

test("a Memcached that is being deleted gets no Deployment any more", async () => {
  const metadata = {
    ...sample.metadata,
    deletionTimestamp: "2026-11-22T00:00:00Z",
    finalizers: ["foregroundDeletion"],
  };
  const scheme = createScheme(memcacheds);
  const client = createFakeClient({ scheme, objects: [{ ...sample, metadata }] });
  await createMemcachedReconciler({ client })(request, context);
  expect(await client.list(deployments)).toEqual([]);
});

// On a cluster: the operator, and everything that it works with.

test("as many Pods as the spec says, whoever changes what; their names in the status", async () => {
  await using suite = await startSuite(setupWithManager, { controllers: true });
  const namespace = await suite.cluster.namespace();
  const objects = suite.cluster.client.resource(memcacheds).namespace(namespace);
  const settled = (replicas: number) =>
    eventually(async () => {
      const { items } = await suite.cluster.client.resource(pods).namespace(namespace).list();
      const names = items.map(({ metadata }) => metadata?.name).sort();
      expect(names).toHaveLength(replicas);
      expect((await objects.get("sample")).status?.nodes).toEqual(names);
    });

  await objects.create({ metadata: { name: "sample" }, spec: { replicas: 1 } });
  await settled(1);
  await objects.patch("sample", { spec: { replicas: 3 } }, { type: "merge" });
  await settled(3);

  const inNamespace = suite.cluster.client.resource(deployments).namespace(namespace);
  const { metadata: scaled } = await inNamespace.patch(
    "sample",
    { spec: { replicas: 2 } },
    { type: "merge" },
  );
  await eventually(async () => {
    const { metadata, spec } = await inNamespace.get("sample");
    expect(metadata?.generation).toBeGreaterThan(scaled?.generation ?? 0);
    expect(spec?.replicas).toBe(3);
  });
  await inNamespace.delete("sample");
  await eventually(async () => expect((await inNamespace.get("sample")).metadata?.uid).not.toBe(scaled?.uid));
  await settled(3);
});
