import { configMaps, type Deployment, deployments } from "@operator-path/client";
import { createScheme } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { websites } from "../website-operator/api/v1/zz_generated.resources.ts";
import { createWebsiteReconciler } from "../website-operator/controllers/website.controller.ts";

// What the example's operator promises, and the checklist does not test.

const request = { namespace: "default", name: "hello" };
const website = {
  apiVersion: "web.example.com/v1",
  kind: "Website",
  metadata: request,
  spec: { text: "Hello!", replicas: 1 },
};

function setUp() {
  const scheme = createScheme(websites, configMaps, deployments);
  const client = createFakeClient({ scheme, statusSubresources: [websites, deployments] });
  return { client, reconcile: createWebsiteReconciler({ client }) };
}

test("an object of the same name that the Website does not own stays as it is", async () => {
  const { client, reconcile } = setUp();
  await client.create(website);
  const data = { "index.html": "of another program" };
  const foreign = await client.create({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: request,
    data,
  });
  await expect(reconcile(request)).rejects.toThrow("ConfigMap hello is not the Website's");
  expect(await client.get(configMaps, request)).toEqual(foreign);
  await client.delete(foreign);
  await reconcile(request);
  expect((await client.get(configMaps, request)).data).toEqual({ "index.html": "Hello!" });
});

test("Available is about Pods with the current text", async () => {
  const { client, reconcile } = setUp();
  await client.create(website);
  await reconcile(request);
  const available = async (status: Deployment["status"]) => {
    const deployment = await client.get(deployments, request);
    await client.status.update({ ...deployment, status });
    await reconcile(request);
    const [condition] = (await client.get(websites, request)).status?.conditions ?? [];
    return [condition?.status, condition?.observedGeneration];
  };
  const generation = async () => (await client.get(deployments, request)).metadata?.generation ?? 0;
  const one = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  expect(await available({ ...one, observedGeneration: await generation() })).toEqual(["True", 1]);

  const template = async () => (await client.get(deployments, request)).spec?.template;
  const before = await template();
  const found = await client.get(websites, request);
  await client.update({ ...found, spec: { ...found.spec, text: "Good night!" } });
  await reconcile(request);
  expect(await template()).not.toEqual(before);
  expect(await available({ ...one, observedGeneration: (await generation()) - 1 })).toEqual(["False", 2]);
  const both = { replicas: 2, updatedReplicas: 1, availableReplicas: 1 };
  expect(await available({ ...both, observedGeneration: await generation() })).toEqual(["False", 2]);
  expect(await available({ ...one, observedGeneration: await generation() })).toEqual(["True", 2]);
});
