import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { KubeObject } from "@operator-path/client";
import { deployedRights, startTestCluster } from "@operator-path/cluster/testing";
import { parseAllDocuments } from "yaml";

const own = "podbuggertool";

/** What a cluster with deploy/permissions.yaml allows the ServiceAccount, by namespace. */
async function granted(): Promise<Record<string, string[]>> {
  await using cluster = await startTestCluster();
  const text = readFileSync(join(import.meta.dirname, "../deploy/permissions.yaml"), "utf8");
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
  const account = { namespace: own, name: "podbuggertool" };
  return await deployedRights(cluster.client, manifests, account);
}

const onLeases = (lines: string[] = []) => lines.filter((line) => /^(coordination\.k8s\.io|\*)\//.test(line));

test("the operator may get, create and update Leases in its own namespace, and no more", async () => {
  const { [own]: there, default: elsewhere } = await granted();
  assert.deepEqual(onLeases(there ?? elsewhere), ["coordination.k8s.io/leases create get update"]);
});

test("the operator may do nothing with the Leases of other namespaces", async () => {
  const { [own]: _, ...elsewhere } = await granted();
  assert.deepEqual(onLeases(Object.values(elsewhere).flat()), []);
});
