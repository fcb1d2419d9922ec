import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type Client, namespaces } from "@operator-path/client";
import { loadManifests, startTestCluster } from "@operator-path/cluster/testing";

const crd = join(import.meta.dirname, "../crd.yaml");
const plurals: Record<string, string> = {
  ...{ ClusterRole: "clusterroles", ClusterRoleBinding: "clusterrolebindings" },
  ...{ Role: "roles", RoleBinding: "rolebindings" },
};

/** Creates the objects of deploy/users.yaml. Those that name no namespace come to "shop", as with kubectl -n shop. */
async function apply(client: Client): Promise<void> {
  for (const name of ["shop", "bank"]) await client.resource(namespaces).create({ metadata: { name } });
  const file = join(import.meta.dirname, "../deploy/users.yaml");
  for (const object of await loadManifests(client, file)) {
    const { kind = "", metadata: { namespace = "shop" } = {} } = object;
    const folder = kind.startsWith("Cluster") ? "" : `/namespaces/${namespace}`;
    const path = `/apis/rbac.authorization.k8s.io/v1${folder}/${plurals[kind]}`;
    await client.request({ method: "POST", path, body: object });
  }
}

async function danaMay(client: Client, verb: string, namespace: string, subresource = ""): Promise<boolean> {
  const resourceAttributes = {
    group: "ualter.com",
    resource: "podbuggertools",
    subresource,
    namespace,
    verb,
  };
  const { body } = await client.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: "dana", resourceAttributes },
    },
  });
  return JSON.parse(Buffer.from(body).toString()).status.allowed;
}

const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

test("dana may manage the tools of her namespace", async () => {
  await using cluster = await startTestCluster({ crds: [crd] });
  await apply(cluster.client);
  const missing: string[] = [];
  for (const verb of verbs) if (!(await danaMay(cluster.client, verb, "shop"))) missing.push(verb);
  assert.ok(missing.length === 0, `missing: ${missing.join(", ")}`);
});

test("dana may do nothing with the tools of another namespace", async () => {
  await using cluster = await startTestCluster({ crds: [crd] });
  await apply(cluster.client);
  const tooMuch: string[] = [];
  for (const verb of verbs) if (await danaMay(cluster.client, verb, "bank")) tooMuch.push(verb);
  assert.ok(tooMuch.length === 0, `too much: ${tooMuch.join(", ")}`);
});

test("dana may not write a tool's status", async () => {
  await using cluster = await startTestCluster({ crds: [crd] });
  await apply(cluster.client);
  for (const verb of ["update", "patch"])
    assert.ok(!(await danaMay(cluster.client, verb, "shop", "status")), `too much: ${verb} of the status`);
});
