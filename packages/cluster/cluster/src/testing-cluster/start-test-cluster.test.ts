import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  configMaps,
  customResourceDefinitions,
  defineResource,
  deployments,
  isNotFound,
  type KubeObject,
  namespaces,
  pods,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { findControlPlane } from "@operator-path/tools";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startTestCluster, type TestCluster, type TestClusterOptions } from "./start-test-cluster.ts";

interface Pizza extends KubeObject {
  spec?: { size?: number };
}
const pizzas = defineResource<Pizza>({
  ...{ group: "shop.example.com", version: "v1", kind: "Pizza", plural: "pizzas", namespaced: true },
});
const size = { type: "integer", minimum: 1 };
const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties: { size } } } };
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "pizzas.shop.example.com" },
  spec: {
    group: "shop.example.com",
    names: { kind: "Pizza", plural: "pizzas", singular: "pizza", listKind: "PizzaList" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
  },
};

async function start(options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = await startTestCluster(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}

const hasExited = (promise: Promise<unknown>) =>
  promise.then(
    () => false,
    (error) => isNotFound(error),
  );

// A real control plane runs with the slow tests.
describe.each([process.env.SLOW ? "envtest" : "embedded"] as const)(
  "a test cluster: %s",
  async (provider) => {
    const isThere =
      provider === "embedded" ||
      (await findControlPlane({ controllerManager: true, mayBuild: false }).catch(() => undefined)) !==
        undefined;

    test.skipIf(!isThere)("has the given kinds, and cleans up", async () => {
      const cluster = await start({ provider, crds: [crd] });
      const namespace = await cluster.namespace("kitchen");
      expect(namespace).toMatch(/^kitchen-[a-z0-9]{5}$/);
      const all = cluster.client.resource(pizzas).namespace(namespace);
      const owner = await all.create({ metadata: { name: "margherita" }, spec: { size: 2 } });
      await expect(all.create({ metadata: { name: "crumb" }, spec: { size: 0 } })).rejects.toThrow(
        "spec.size",
      );

      const { apiVersion = "", kind = "" } = owner;
      const reference = { apiVersion, kind, name: "margherita", uid: owner.metadata?.uid ?? "" };
      const boxes = cluster.client.resource(configMaps).namespace(namespace);
      await boxes.create({ metadata: { name: "box", ownerReferences: [reference] } });
      await all.delete("margherita");
      await vi.waitFor(async () => expect(await hasExited(boxes.get("box"))).toBe(true));

      await boxes.create({ metadata: { name: "left" } });
      await cluster.client.resource(namespaces).delete(namespace);
      await vi.waitFor(async () =>
        expect(await hasExited(cluster.client.resource(namespaces).get(namespace))).toBe(true),
      );
    });
  },
);

test("clusters share nothing, and stop() leaves no port open", async () => {
  const [one, other] = await Promise.all([start({ crds: [crd] }), start()]);
  await one.client
    .resource(pizzas)
    .namespace("default")
    .create({ metadata: { name: "margherita" } });
  const list = other.client.resource(customResourceDefinitions).list();
  expect((await list).items).toEqual([]);
  const { port } = new URL(one.kubeConfig.getCurrentCluster()?.server ?? "");
  await one.stop();
  await one.stop();
  const refused = new Promise((resolve) => createConnection(Number(port), "127.0.0.1").on("error", resolve));
  expect(await refused).toMatchObject({ code: "ECONNREFUSED" });
});

test("runs a Deployment's Pods with controllers", async () => {
  const { client } = await start({ controllers: true });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } };
  await client
    .resource(deployments)
    .namespace("default")
    .create({ metadata: { name: "web" }, spec: { selector: { matchLabels: labels }, template } });
  const phases = async () =>
    (await client.resource(pods).namespace("default").list()).items.map(({ status }) => status?.phase);
  await vi.waitFor(async () => expect(await phases()).toEqual(["Running"]));
});

test("a new namespace accepts Pods at once with controllers", async () => {
  const cluster = await start({ controllers: true });
  // Creates many at once, so that the controller that creates their ServiceAccounts falls behind.
  const accounts = Array.from({ length: 100 }, async () => {
    const all = cluster.client.resource(pods).namespace(await cluster.namespace());
    const spec = { containers: [{ name: "web", image: "nginx:1.29" }] };
    return (await all.create({ metadata: { name: "web" }, spec })).spec?.serviceAccountName;
  });
  expect(new Set(await Promise.all(accounts))).toEqual(new Set(["default"]));
});

test("deletes dependents of a missing owner even without a deletion", async () => {
  const clock = createFakeClock();
  const { client } = await start({ clock });
  const boxes = client.resource(configMaps).namespace("default");
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: "0-0-0" };
  await boxes.create({ metadata: { name: "box", ownerReferences: [owner] } });
  await vi.waitFor(async () => {
    await clock.advance(1_000);
    expect(await hasExited(boxes.get("box"))).toBe(true);
  });
});

test("uses the given clock", async () => {
  const clock = createFakeClock();
  const { client, namespace } = await start({ clock });
  const { metadata } = await client.resource(namespaces).get(await namespace());
  const seconds = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  expect(metadata?.creationTimestamp).toBe(seconds);
});

describe("crds", () => {
  async function folderWith(files: Record<string, string>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "operator-path-crds-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return folder;
  }

  test("may be in a project's folder, with other files and kinds", async () => {
    const crds = await folderWith({
      "pizzas.yaml": `---\n${JSON.stringify(crd)}\n---\nkind: Namespace\napiVersion: v1\nmetadata: {name: a}\n---\n`,
      "kustomization.yaml": "resources: [pizzas.yaml]\n",
      "README.md": "# Pizzas",
    });
    const { client } = await start({ crds: [crds] });
    const { items } = await client.resource(customResourceDefinitions).list();
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(["pizzas.shop.example.com"]);
  });

  test("rejects unreadable, missing or invalid CRDs by name", async () => {
    const folder = await folderWith({ "a.yaml": "kind: [", "b.yaml": "kind: Pod" });
    const broken = join(folder, "a.yaml");
    const none = join(folder, "b.yaml");
    const nowhere = join(folder, "c.yaml");
    await expect(start({ crds: [broken] })).rejects.toThrow(`crds: ${broken}: `);
    await expect(start({ crds: [none] })).rejects.toThrow(`crds: ${none} has no CustomResourceDefinition`);
    await expect(start({ crds: [nowhere] })).rejects.toThrow(`crds: ${nowhere}: no such file or folder`);
    const wrong = { ...crd, metadata: { name: "pizza" } };
    await expect(start({ crds: [wrong] })).rejects.toThrow(
      'crds[0]: CustomResourceDefinition.apiextensions.k8s.io "pizza" is invalid',
    );
  });
});

test("rejects unreadable, missing or invalid webhooks by name, and leaves nothing behind", async () => {
  await expect(start({ webhooks: ["nowhere"] })).rejects.toThrow("webhooks: nowhere: no such file or folder");
  const wrong = {
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "a" },
    webhooks: [{ name: "a" }],
  };
  await expect(start({ webhooks: [wrong as never] })).rejects.toThrow(/^webhooks\[0\]: .*is invalid/);
  const { webhookServer } = await start({ webhooks: [] });
  expect(webhookServer).toEqual({ host: "127.0.0.1", port: expect.any(Number), certDir: expect.any(String) });
});

test("a real kube-apiserver rejects a clock", async () => {
  await expect(start({ provider: "envtest", clock: createFakeClock() })).rejects.toThrow(
    "clock: a real kube-apiserver uses the machine's clock",
  );
});
