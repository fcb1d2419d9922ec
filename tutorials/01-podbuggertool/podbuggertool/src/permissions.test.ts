import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { KubeObject } from "@operator-path/client";
import { deployedRights, startTestCluster } from "@operator-path/cluster/testing";
import { parseAllDocuments } from "yaml";

const needed = [
  "events create",
  "events list",
  "events patch",
  "pods list",
  "pods watch",
  "pods/ephemeralcontainers patch",
  "ualter.com/podbuggertools list",
  "ualter.com/podbuggertools watch",
  "ualter.com/podbuggertools/status patch",
];

/** What a cluster with deploy/permissions.yaml allows the ServiceAccount, one verb on one resource per line. */
async function granted(): Promise<string[]> {
  await using cluster = await startTestCluster();
  const text = readFileSync(join(import.meta.dirname, "../deploy/permissions.yaml"), "utf8");
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
  const account = { namespace: "podbuggertool", name: "podbuggertool" };
  const { default: rights = [] } = await deployedRights(cluster.client, manifests, account);
  return rights.flatMap((line) => {
    const [resource, ...verbs] = line.split(" ");
    return verbs.map((verb) => `${resource} ${verb}`);
  });
}

test("the operator may send each of its requests", async () => {
  const allowed = await granted();
  assert.deepEqual(
    needed.filter((request) => !allowed.includes(request)),
    [],
  );
});

test("the operator may do nothing else", async () => {
  const allowed = await granted();
  assert.deepEqual(
    allowed.filter((request) => !needed.includes(request)),
    [],
  );
});
