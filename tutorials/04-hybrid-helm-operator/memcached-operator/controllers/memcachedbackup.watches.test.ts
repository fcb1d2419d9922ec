import { deployments, type Pod, pods, serviceAccounts } from "@operator-path/client";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, test, vi } from "vitest";
import { memcachedBackups } from "../api/v1/zz_generated.resources.ts";
import { backupLabel, labelsFor } from "./backup.deployment.ts";
import { setupWithManager } from "./memcachedbackup.controller.ts";
import { startSuite } from "./suite.ts";

// Without other controllers, a change of a Deployment changes no Pod, and the other way round.

test("a change of the status, of the Deployment and of a Pod each wakes the operator by itself", async () => {
  await using suite = await startSuite(setupWithManager);
  const namespace = await suite.cluster.namespace();
  const { client } = suite.cluster;
  await client.resource(serviceAccounts).create({ metadata: { namespace, name: "default" } });
  const objects = client.resource(memcachedBackups).namespace(namespace);
  const nodes = async () => (await objects.get("sample")).status?.nodes;
  await objects.create({ metadata: { name: "sample" }, spec: { size: 1 } });
  await eventually(async () => expect(await nodes()).toEqual([]));

  const deployment = client.resource(deployments).namespace(namespace);
  await deployment.patch("sample", { spec: { replicas: 5 } }, { type: "merge" });
  await eventually(async () => expect((await deployment.get("sample")).spec?.replicas).toBe(1));

  const labels = labelsFor("sample");
  const spec = { containers: [{ name: "main", image: "memcached" }] } as Pod["spec"];
  await client.resource(pods).create({ metadata: { namespace, name: "one", labels }, spec });
  await eventually(async () => expect(await nodes()).toEqual(["one"]));
  // A change of the status alone changes no generation.
  await objects.updateStatus({ ...(await objects.get("sample")), status: { nodes: [] } });
  await eventually(async () => expect(await nodes()).toEqual(["one"]));
  const inNamespace = client.resource(pods).namespace(namespace);
  await inNamespace.patch("one", { metadata: { labels: { [backupLabel]: null } } }, { type: "merge" });
  await eventually(async () => expect(await nodes()).toEqual([]));
});

test("a Pod wakes the operator when its labels change, not when its status does", async () => {
  await using suite = await startSuite(setupWithManager);
  const namespace = await suite.cluster.namespace();
  const { client } = suite.cluster;
  await client.resource(serviceAccounts).create({ metadata: { namespace, name: "default" } });
  const objects = client.resource(memcachedBackups).namespace(namespace);
  const podsHere = client.resource(pods).namespace(namespace);
  const spec = { containers: [{ name: "main", image: "memcached" }] } as Pod["spec"];
  const createPod = (name: string, labels: Record<string, string>) =>
    podsHere.create({ metadata: { name, labels }, spec });
  const settled = (name: string, nodes: string[]) =>
    eventually(async () => expect((await objects.get(name)).status?.nodes).toEqual(nodes));
  await createPod("one", labelsFor("sample"));
  await objects.create({ metadata: { name: "sample" }, spec: { size: 1 } });
  await settled("sample", ["one"]);
  // Once `other` has settled, nothing is left to do for `sample`.
  await objects.create({ metadata: { name: "other" }, spec: { size: 1 } });
  await settled("other", []);

  const get = vi.spyOn(suite.manager.client, "get");
  await podsHere.updateStatus({ ...(await podsHere.get("one")), status: { phase: "Running" } });
  await createPod("two", labelsFor("other"));
  await settled("other", ["two"]);
  expect(get.mock.calls.map(([, { name }]) => name)).not.toContain("sample");
});
