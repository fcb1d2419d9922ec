import { type Deployment, deployments, type Pod } from "@operator-path/client";
import { createLogger, createScheme, setControllerReference } from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient, interceptClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcachedBackups } from "../api/v1/zz_generated.resources.ts";
import { backupLabel, labelsFor } from "./backup.deployment.ts";
import { createMemcachedBackupReconciler } from "./memcachedbackup.controller.ts";

const request = { namespace: "shop", name: "sample" };
const sample = {
  apiVersion: "cache.my.domain/v1",
  kind: "MemcachedBackup",
  metadata: request,
  spec: { size: 1 },
};

function pod(name: string, labels: Record<string, string>): Pod {
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name, labels } };
}

const createCluster = () =>
  createFakeClient({
    scheme: createScheme(memcachedBackups),
    objects: [
      sample,
      pod("sample-b", labelsFor("sample")),
      pod("sample-a", labelsFor("sample")),
      pod("other-a", labelsFor("other")),
      pod("foreign", { [backupLabel]: "sample" }),
    ],
    statusSubresources: [memcachedBackups],
  });

test("a failed request is tried again, and changes nothing else", async () => {
  const writes = await checkFaults(() => ({
    client: createCluster(),
    resource: memcachedBackups,
    request,
    reconciler: (client) => createMemcachedBackupReconciler({ client }),
    steps: [
      async (client) => {
        const backup = await client.get(memcachedBackups, request);
        expect(backup.status?.nodes).toEqual(["sample-a", "sample-b"]);
        await client.update({ ...backup, spec: { size: 2 } });
      },
      async (client) => expect((await client.get(deployments, request)).spec?.replicas).toBe(2),
    ],
  }));
  expect(writes).toEqual([
    "create Deployment shop/sample",
    "update MemcachedBackup/status shop/sample",
    "update Deployment shop/sample",
  ]);
});

test("the Deployment selects the Pods that it makes, and they run memcached", async () => {
  const client = createCluster();
  await createMemcachedBackupReconciler({ client })(request, { log: createLogger({ level: "silent" }) });
  const { spec } = await client.get(deployments, request);
  const labels = labelsFor("sample");
  expect(spec).toMatchObject({
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels } },
  });
  expect(spec?.template.spec?.containers).toMatchObject([
    {
      name: "memcached",
      image: expect.stringMatching(/^memcached:/),
      args: ["--memory-limit=64"],
      ports: [{ name: "memcached", containerPort: 11211 }],
      // The user of the image, which gives only its name: `runAsNonRoot` asks for a number.
      securityContext: { runAsUser: 11211 },
    },
  ]);
});

test("the names of the Pods are sorted, for any order of the cache", async () => {
  const cluster = createCluster();
  const client = interceptClient(cluster, {
    list: async (inner, resource, options) => (await inner.list(resource, options)).reverse(),
  });
  const reconcile = createMemcachedBackupReconciler({ client });
  for (let i = 0; i < 2; i++) await reconcile(request, { log: createLogger({ level: "silent" }) });
  expect((await cluster.get(memcachedBackups, request)).status?.nodes).toEqual(["sample-a", "sample-b"]);
});

test("a MemcachedBackup that is being deleted gets no Deployment", async () => {
  const metadata = {
    ...request,
    deletionTimestamp: "2026-11-22T00:00:00Z",
    finalizers: ["foregroundDeletion"],
  };
  const client = createFakeClient({
    scheme: createScheme(memcachedBackups),
    objects: [{ ...sample, metadata }],
  });
  await createMemcachedBackupReconciler({ client })(request, { log: createLogger({ level: "silent" }) });
  expect(await client.list(deployments)).toEqual([]);
});

test("a Deployment of an earlier MemcachedBackup of the same name stays as it is", async () => {
  const earlier = { ...sample, metadata: { ...request, uid: "0" } };
  const deployment: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: request };
  const client = createFakeClient({
    scheme: createScheme(memcachedBackups),
    objects: [{ ...sample, metadata: { ...request, uid: "1" } }, setControllerReference(earlier, deployment)],
  });
  const reconcile = createMemcachedBackupReconciler({ client });
  await expect(reconcile(request, { log: createLogger({ level: "silent" }) })).rejects.toThrow(
    "Deployment sample has another owner or none",
  );
  expect(await client.get(deployments, request)).not.toHaveProperty("spec");
});

test("another size changes the Deployment's replicas, and nothing else", async () => {
  const client = createCluster();
  const reconcile = createMemcachedBackupReconciler({ client });
  await reconcile(request, { log: createLogger({ level: "silent" }) });
  const deployment = structuredClone(await client.get(deployments, request));
  Object.assign(deployment.spec?.template.spec ?? {}, { nodeSelector: { disk: "ssd" } });
  await client.update(deployment);
  await client.update({ ...(await client.get(memcachedBackups, request)), spec: { size: 3 } });

  await reconcile(request, { log: createLogger({ level: "silent" }) });
  expect((await client.get(deployments, request)).spec).toEqual({ ...deployment.spec, replicas: 3 });
});

test("each write has a line in the log", async () => {
  const client = createCluster();
  const lines: string[] = [];
  const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line).msg) } });
  const reconcile = createMemcachedBackupReconciler({ client });
  for (let i = 0; i < 2; i++) await reconcile(request, { log });
  await client.update({ ...(await client.get(memcachedBackups, request)), spec: { size: 2 } });
  await reconcile(request, { log });
  expect(lines).toEqual([
    "created a Deployment of 1",
    "status.nodes has 2 names",
    "scaled the Deployment from 1 to 2",
  ]);
});
