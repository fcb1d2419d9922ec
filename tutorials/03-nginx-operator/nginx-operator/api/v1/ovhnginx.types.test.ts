import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestCluster } from "@operator-path/cluster/testing";
import { expect, onTestFinished, test } from "vitest";
import type { OvhNginx } from "./ovhnginx.types.ts";
import { ovhNginxes } from "./zz_generated.resources.ts";

// These tests generate a CRD from the types, install it in a cluster of their own, and try it there.

/** Starts a cluster with the CRD. `create` creates an object, and returns the spec that the server has stored. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), "ovhnginx-crd-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const project = join(import.meta.dirname, "../..");
  const command = join(project, "node_modules/.bin/controller-gen");
  execFileSync(command, ["crd", "paths=./api/...", `output:crd:dir=${folder}`], { cwd: project });
  const cluster = await startTestCluster({ crds: [folder] });
  const objects = cluster.client.resource(ovhNginxes).namespace("default");
  return {
    create: async (spec?: object) => {
      const object = { metadata: { generateName: "a-" }, ...(spec && { spec }) } as OvhNginx;
      return (await objects.create(object)).spec;
    },
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
}

test("the server stores the smallest and the largest values", async () => {
  await using cluster = await start();
  for (const spec of [
    { replicaCount: 0, port: 1 },
    { replicaCount: 3, port: 65_535 },
  ])
    expect(await cluster.create(spec)).toMatchObject(spec);
});

test("the server rejects values that make no sense", async () => {
  await using cluster = await start();
  await expect(cluster.create({ replicaCount: -1, port: 80 })).rejects.toThrow("spec.replicaCount");
  await expect(cluster.create({ replicaCount: 1.5, port: 80 })).rejects.toThrow("spec.replicaCount");
  for (const port of [-1, 0, 65_536])
    await expect(cluster.create({ replicaCount: 1, port })).rejects.toThrow("spec.port");
});

test("the server requires both fields", async () => {
  await using cluster = await start();
  await expect(cluster.create({ port: 80 })).rejects.toThrow("spec.replicaCount");
  await expect(cluster.create({ replicaCount: 1 })).rejects.toThrow("spec.port");
  await expect(cluster.create()).rejects.toThrow("spec");
});
