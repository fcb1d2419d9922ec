import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { deployedRights, loadManifests, startTestCluster } from "@operator-path/cluster/testing";

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
  await using cluster = await startTestCluster({ crds: [join(import.meta.dirname, "../crd.yaml")] });
  const file = join(import.meta.dirname, "../deploy/permissions.yaml");
  const manifests = await loadManifests(cluster.client, file);
  const account = { namespace: "podbuggertool", name: "podbuggertool" };
  const { default: rights = [] } = await deployedRights(cluster.client, manifests, account);
  return rights.flatMap((line) => {
    const [resource, ...verbs] = line.split(" ");
    return verbs.map((verb) => `${resource} ${verb}`);
  });
}

test("the operator may send each of its requests", async () => {
  const allowed = await granted();
  const unnamed = needed.filter(
    (request) => ![request, request.replace(/ .*/, " *")].some((right) => allowed.includes(right)),
  );
  const others = unnamed.length > 1 ? `, or ${unnamed.length - 1} more of the requests` : "";
  assert.ok(unnamed.length === 0, `no rule names ${unnamed[0]}${others}`);
});

test("the operator may do nothing else", async () => {
  const allowed = await granted();
  const unneeded = allowed.filter((request) => !needed.includes(request));
  assert.ok(unneeded.length === 0, `too much: ${unneeded.join(", ")}`);
});
