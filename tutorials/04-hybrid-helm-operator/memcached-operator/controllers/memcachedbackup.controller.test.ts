import { type Deployment, deployments, pods } from "@operator-path/client";
import { createLogger, createScheme } from "@operator-path/controller-runtime";
import { createFakeClient, eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcachedBackups } from "../api/v1/zz_generated.resources.ts";
import { createMemcachedBackupReconciler, setupWithManager } from "./memcachedbackup.controller.ts";
import { startSuite } from "./suite.ts";

test("a Deployment that happens to have the name is left alone", async () => {
  const request = { namespace: "default", name: "sample" };
  const foreign: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...request } };
  const backup = {
    apiVersion: "cache.my.domain/v1",
    kind: "MemcachedBackup",
    metadata: { ...request, uid: "1" },
    spec: { size: 2 },
  };
  const client = createFakeClient({ scheme: createScheme(memcachedBackups), objects: [backup, foreign] });
  const reconcile = createMemcachedBackupReconciler({ client });
  const log = createLogger({ level: "silent" });
  await expect(reconcile(request, { log })).rejects.toThrow("not this MemcachedBackup's");
  expect((await client.get(deployments, request)).spec).toBeUndefined();
});

test("as many Pods as the size says, whoever changes what; their names in the status", async () => {
  await using suite = await startSuite(setupWithManager, { controllers: true });
  const namespace = await suite.cluster.namespace();
  const objects = suite.cluster.client.resource(memcachedBackups).namespace(namespace);
  const settled = (size: number) =>
    eventually(async () => {
      const { items } = await suite.cluster.client.resource(pods).namespace(namespace).list();
      const names = items.map(({ metadata }) => metadata?.name).sort();
      expect(names).toHaveLength(size);
      expect((await objects.get("sample")).status?.nodes).toEqual(names);
    });

  await objects.create({ metadata: { name: "sample" }, spec: { size: 2 } });
  await settled(2);
  await objects.patch("sample", { spec: { size: 1 } }, { type: "merge" });
  await settled(1);

  const inNamespace = suite.cluster.client.resource(deployments).namespace(namespace);
  const { metadata: scaled } = await inNamespace.patch(
    "sample",
    { spec: { replicas: 3 } },
    { type: "merge" },
  );
  await eventually(async () => {
    const { metadata, spec } = await inNamespace.get("sample");
    expect(metadata?.generation).toBeGreaterThan(scaled?.generation ?? 0);
    expect(spec?.replicas).toBe(1);
  });
  await settled(1);
});
