import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printedColumns, startTestCluster } from "@operator-path/cluster/testing";
import { expect, onTestFinished, test } from "vitest";
import { memcacheds } from "./zz_generated.resources.ts";

// These tests generate a CRD from the types, install it in a cluster of their own, and try it there.

/** Starts a cluster with the CRD. */
async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), "memcached-crd-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const project = join(import.meta.dirname, "../..");
  const command = join(project, "node_modules/.bin/controller-gen");
  execFileSync(command, ["crd", "paths=./api/...", `output:crd:dir=${folder}`], { cwd: project });
  return startTestCluster({ crds: [folder] });
}

const objectOf = (size: unknown) => ({
  metadata: { namespace: "default", name: "sample" },
  spec: { replicas: size as number },
});

test("the server accepts whole sizes from 0 on", async () => {
  await using cluster = await startCluster();
  const objects = cluster.client.resource(memcacheds).namespace("default");
  // Without the field in the CRD, the server would drop it.
  expect((await objects.create(objectOf(0))).spec).toEqual({ replicas: 0 });
  await expect(objects.update({ ...(await objects.get("sample")), spec: { replicas: 1.5 } })).rejects.toThrow(
    "spec.replicas",
  );
});

test("the server rejects a negative size", async () => {
  await using cluster = await startCluster();
  const objects = cluster.client.resource(memcacheds).namespace("default");
  await expect(objects.create(objectOf(-1))).rejects.toThrow("spec.replicas");
});

test("kubectl get shows the size in a column Desired", async () => {
  await using cluster = await startCluster();
  expect(await printedColumns(cluster.client, memcacheds, objectOf(2))).toMatchObject({ Desired: 2 });
});
