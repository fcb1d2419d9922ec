import { deployments, type Pod } from "@operator-path/client";
import { createScheme } from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient } from "@operator-path/controller-runtime/testing";
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
