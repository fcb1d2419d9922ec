import { join } from "node:path";
import type { Deployment } from "@operator-path/client";
import {
  createRights,
  kustomize,
  listRights,
  printedColumns,
  startTestCluster,
} from "@operator-path/cluster/testing";
import { expect, test } from "vitest";
import { memcacheds } from "../memcached-operator/api/v1alpha1/zz_generated.resources.ts";

// What `make deploy` gives the operator is written down here a second time, so that no line of the manifests changes unnoticed.

const config = join(import.meta.dirname, "../memcached-operator/config");
const home = "memcached-operator-system";
const account = { namespace: home, name: "memcached-operator-controller-manager" };

test("the ServiceAccount has the rights that the operator needs, and no other one", async () => {
  await using cluster = await startTestCluster();
  await createRights(cluster.client, await kustomize(join(config, "default")));
  const everywhere = [];
  expect(await listRights(cluster.client, account, "default")).toEqual(everywhere);
  expect(await listRights(cluster.client, account, home)).toEqual([]);
});

test("the Pod of the operator keeps its limits, its probes and its hardening", async () => {
  const manifests = await kustomize(join(config, "default"));
  const { spec } = manifests.find(({ kind }) => kind === "Deployment") as Deployment;
  expect(spec?.template.spec).toEqual({});
});

test("kubectl get shows the right field in each column", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const metadata = { namespace: "default", name: "one" };
  const columns = await printedColumns(cluster.client, memcacheds, {
    ...{ metadata, spec: { size: 2 }, status: { nodes: ["three"] } },
  });
  expect(columns).toEqual({ Name: "one", Desired: 2, Nodes: '["three"]' });
});
