import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type Client, type Deployment, namespaces, pods, serviceAccounts } from "@operator-path/client";
import { loadManifests, startTestCluster } from "@operator-path/cluster/testing";

const namespace = "podbuggertool";
/** The spec in deploy/operator.yaml. Fails with file and line if the file has a mistake that the API server finds. */
async function readSpec(client: Client): Promise<Deployment["spec"]> {
  const [deployment] = await loadManifests(client, join(import.meta.dirname, "../deploy/operator.yaml"));
  return (deployment as Deployment | undefined)?.spec;
}

test("the API server accepts the Pod in a namespace that enforces restricted", async () => {
  await using cluster = await startTestCluster();
  const template = (await readSpec(cluster.client))?.template;
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await cluster.client.resource(namespaces).create({ metadata: { name: namespace, labels } });
  await cluster.client.resource(serviceAccounts).create({ metadata: { namespace, name: "podbuggertool" } });
  const metadata = { ...template?.metadata, name: "operator" };
  await cluster.client.resource(pods).namespace(namespace).create({ metadata, spec: template?.spec });
});

test("no container of the Pod can write to its own file system", async () => {
  await using cluster = await startTestCluster();
  const template = (await readSpec(cluster.client))?.template;
  const containers = [...(template?.spec?.containers ?? []), ...(template?.spec?.initContainers ?? [])];
  const writable = containers.filter(({ securityContext }) => !securityContext?.readOnlyRootFilesystem);
  const names = writable.map(({ name }) => name).join(", ");
  assert.ok(writable.length === 0, `these containers can write to their own file system: ${names}`);
});

// With RollingUpdate, a Pod that is still stopping no longer counts, even with a maxSurge of 0.
test("an update starts no second Pod before the old one has stopped", async () => {
  await using cluster = await startTestCluster();
  const { type = "RollingUpdate" } = (await readSpec(cluster.client))?.strategy ?? {};
  assert.ok(type === "Recreate", `${type} may start the new Pod while the old one is stopping`);
});
