import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Deployment, namespaces, pods, serviceAccounts } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { parse } from "yaml";

const namespace = "podbuggertool";
const { spec }: Deployment = parse(
  readFileSync(join(import.meta.dirname, "../deploy/operator.yaml"), "utf8"),
);
const template = spec?.template;

test("the API server accepts the Pod in a namespace that enforces restricted", async () => {
  await using cluster = await startTestCluster();
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await cluster.client.resource(namespaces).create({ metadata: { name: namespace, labels } });
  await cluster.client.resource(serviceAccounts).create({ metadata: { namespace, name: "podbuggertool" } });
  const metadata = { ...template?.metadata, name: "operator" };
  await cluster.client.resource(pods).namespace(namespace).create({ metadata, spec: template?.spec });
});

test("no container of the Pod can write to its own file system", () => {
  const containers = [...(template?.spec?.containers ?? []), ...(template?.spec?.initContainers ?? [])];
  const writable = containers.filter(({ securityContext }) => !securityContext?.readOnlyRootFilesystem);
  assert.deepEqual(
    writable.map(({ name }) => name),
    [],
  );
});

test("an update starts no second Pod before the old one has stopped", () => {
  const { type, rollingUpdate } = spec?.strategy ?? {};
  const surge = type === "Recreate" ? 0 : Number.parseInt(`${rollingUpdate?.maxSurge ?? "25%"}`, 10);
  assert.equal(surge, 0);
});
