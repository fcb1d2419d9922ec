import { deployments, type Pod, pods, serviceAccounts } from "@operator-path/client";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { memcacheds } from "../api/v1alpha1/zz_generated.resources.ts";
import { setupWithManager } from "./memcached.controller.ts";
import { startSuite } from "./suite.ts";

// Without other controllers, a change of a Deployment changes no Pod, and the other way round.

test("a change of the status, of the Deployment and of a Pod each wakes the operator by itself", async () => {
  await using suite = await startSuite(setupWithManager);
  const namespace = await suite.cluster.namespace();
  const { client } = suite.cluster;
  await client.resource(serviceAccounts).create({ metadata: { namespace, name: "default" } });
  const objects = client.resource(memcacheds).namespace(namespace);
  const nodes = async () => (await objects.get("sample")).status?.nodes;
  await objects.create({ metadata: { name: "sample" }, spec: { size: 1 } });
  await eventually(async () => expect(await nodes()).toEqual([]));

  const deployment = client.resource(deployments).namespace(namespace);
  await deployment.patch("sample", { spec: { replicas: 5 } }, { type: "merge" });
  const replicas = async () => (await deployment.get("sample")).spec?.replicas;
  await eventually(async () => expect(await replicas(), "after a change of the Deployment").toBe(1));

  const labels = { app: "memcached", memcached_cr: "sample" };
  const spec = { containers: [{ name: "main", image: "memcached" }] } as Pod["spec"];
  await client.resource(pods).create({ metadata: { namespace, name: "one", labels }, spec });
  await eventually(async () => expect(await nodes(), "after a new Pod").toEqual(["one"]));
  // A change of the status alone changes no generation.
  await objects.updateStatus({ ...(await objects.get("sample")), status: { nodes: [] } });
  await eventually(async () => expect(await nodes(), "after a change of the status").toEqual(["one"]));
  const inNamespace = client.resource(pods).namespace(namespace);
  await inNamespace.patch("one", { metadata: { labels: { memcached_cr: null } } }, { type: "merge" });
  await eventually(async () => expect(await nodes(), "after a change of the Pod's labels").toEqual([]));
});
