import { type Deployment, deployments, type Pod } from "@operator-path/client";
import { createLogger, createScheme, setControllerReference } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import type { MemcachedBackup } from "../api/v1/memcachedbackup.types.ts";
import { memcachedBackups } from "../api/v1/zz_generated.resources.ts";
import { createMemcachedBackupReconciler } from "./memcachedbackup.controller.ts";

// These tests reconcile once or a few times on a fake client. No other controller runs beside it.

const request = { namespace: "shop", name: "sample" };
const context = { log: createLogger({ level: "silent" }) };

function backup(size: number, more: MemcachedBackup["metadata"] = {}): MemcachedBackup {
  return {
    apiVersion: "cache.my.domain/v1",
    kind: "MemcachedBackup",
    metadata: { ...request, uid: "1", ...more },
    spec: { size },
  };
}

/** Returns a Deployment as the operator has created it, with a change by another client. */
function deployment(replicas: number, owner?: MemcachedBackup): Deployment {
  const labels = { "app.kubernetes.io/name": "memcachedbackup", "cache.my.domain/backup": "sample" };
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

function pod(name: string, namespace: string, backup: string): Pod {
  const labels = { "app.kubernetes.io/name": "memcachedbackup", "cache.my.domain/backup": backup };
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace, name, labels } };
}

function start(objects: (MemcachedBackup | Deployment | Pod)[]) {
  let writes = 0;
  const client = createFakeClient({
    scheme: createScheme(memcachedBackups),
    objects,
    statusSubresources: [memcachedBackups],
    interceptors: {
      update: (inner, object, options) => {
        writes++;
        return inner.update(object, options);
      },
      subResourceUpdate: (inner, name, object, options) => {
        writes++;
        return inner.subResource(name).update(object, options);
      },
    },
  });
  const reconcile = createMemcachedBackupReconciler({ client });
  return { client, reconcile: () => reconcile(request, context), writes: () => writes };
}

test("a MemcachedBackup gets a Deployment of its size, and owns it", async () => {
  const { client, reconcile } = start([backup(3)]);
  await reconcile();
  const { metadata, spec } = await client.get(deployments, request);
  expect(spec?.replicas).toBe(3);
  expect(spec?.selector).toEqual({
    matchLabels: { "app.kubernetes.io/name": "memcachedbackup", "cache.my.domain/backup": "sample" },
  });
  expect(metadata?.ownerReferences).toMatchObject([{ kind: "MemcachedBackup", uid: "1", controller: true }]);
});

test("a MemcachedBackup that is being deleted gets no Deployment", async () => {
  const going = { deletionTimestamp: "2026-11-22T00:00:00Z", finalizers: ["foregroundDeletion"] };
  const { client, reconcile } = start([backup(3, going)]);
  await reconcile();
  expect(await client.list(deployments)).toEqual([]);
});

test("another size changes the replicas, and nothing else", async () => {
  const { client, reconcile, writes } = start([backup(5), deployment(3, backup(3))]);
  await reconcile();
  await reconcile();
  expect((await client.get(deployments, request)).spec).toEqual({ ...deployment(3).spec, replicas: 5 });
  expect(writes()).toBeLessThanOrEqual(2);
});

test("a Deployment of another owner is an error, and stays as it is", async () => {
  await start([backup(5), deployment(5, backup(5))]).reconcile();
  // The second owner is an earlier MemcachedBackup of the same name.
  for (const foreign of [deployment(1), deployment(1, backup(1, { uid: "0" }))]) {
    const { client, reconcile } = start([backup(5), foreign]);
    await expect(reconcile()).rejects.toThrow();
    expect((await client.get(deployments, request)).spec?.replicas).toBe(1);
  }
});

test("the status lists the names of the MemcachedBackup's own Pods, in order", async () => {
  const others = [pod("other-a", "shop", "other"), pod("sample-c", "elsewhere", "sample")];
  const own = [pod("sample-b", "shop", "sample"), pod("sample-a", "shop", "sample")];
  const { client, reconcile } = start([backup(2), deployment(2, backup(2)), ...others, ...own]);
  await reconcile();
  expect((await client.get(memcachedBackups, request)).status).toEqual({ nodes: ["sample-a", "sample-b"] });
});

test("other fields of the status stay", async () => {
  const conditions = [{ type: "Available", status: "True" }];
  const other = { ...backup(1), status: { nodes: [], conditions } };
  const { client, reconcile } = start([other, deployment(1, backup(1)), pod("sample-a", "shop", "sample")]);
  await reconcile();
  expect((await client.get(memcachedBackups, request)).status).toEqual({ nodes: ["sample-a"], conditions });
});

test("the status is written once, and stays an empty list without Pods", async () => {
  const { client, reconcile, writes } = start([backup(0), deployment(0, backup(0))]);
  for (let i = 0; i < 3; i++) await reconcile();
  expect((await client.get(memcachedBackups, request)).status).toEqual({ nodes: [] });
  expect(writes()).toBe(1);
});
