import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { deployedRights, loadManifests, startTestCluster } from "@operator-path/cluster/testing";

const own = "podbuggertool";

/** What a cluster with deploy/permissions.yaml allows the ServiceAccount, by namespace. */
async function granted(): Promise<Record<string, string[]>> {
  await using cluster = await startTestCluster({ crds: [join(import.meta.dirname, "../crd.yaml")] });
  const file = join(import.meta.dirname, "../deploy/permissions.yaml");
  const manifests = await loadManifests(cluster.client, file);
  const account = { namespace: own, name: "podbuggertool" };
  return await deployedRights(cluster.client, manifests, account);
}

const needed = ["create", "get", "update"].map((verb) => `coordination.k8s.io/leases ${verb}`);

/**
 * Returns the permissions on Leases, one verb on one resource per line. A rule may name the operator's own Lease,
 * except for `create`: a new object has no name yet when the server looks for a rule.
 */
function onLeases(lines: string[] = []): string[] {
  return lines
    .filter((line) => /^(coordination\.k8s\.io|\*)\//.test(line))
    .flatMap((line) => {
      const [resource = "", ...verbs] = line.split(" ");
      const all = resource.replace("[podbuggertool.ualter.com]", "");
      return verbs.filter((verb) => all === resource || verb !== "create").map((verb) => `${all} ${verb}`);
    });
}

test("the operator may get, create and update Leases in its own namespace, and no more", async () => {
  const { [own]: there, default: elsewhere } = await granted();
  const allowed = onLeases(there ?? elsewhere);
  const missing = needed.filter((request) => !allowed.includes(request));
  const why = there
    ? ""
    : `: no RoleBinding grants the operator's ServiceAccount anything in the namespace ${own}`;
  assert.ok(missing.length === 0, `missing: ${missing.join(", ")}${why}`);
  const unneeded = allowed.filter((request) => !needed.includes(request));
  assert.ok(unneeded.length === 0, `too much: ${unneeded.join(", ")}`);
});

test("the operator may do nothing with the Leases of other namespaces", async () => {
  const { [own]: _, ...elsewhere } = await granted();
  const unneeded = onLeases(Object.values(elsewhere).flat());
  assert.ok(unneeded.length === 0, `too much: ${unneeded.join(", ")}`);
});
