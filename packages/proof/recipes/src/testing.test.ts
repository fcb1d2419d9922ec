import { deployments } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import {
  type Client,
  createLogger,
  createManager,
  createScheme,
  type ReconcileContext,
} from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient, eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { type Site, siteCrd, sites } from "./site.ts";
import { createSiteReconciler, setupWithManager } from "./testing.ts";

const key = { namespace: "default", name: "shop" };
const shop: Site = {
  ...{ apiVersion: "web.example.com/v1", kind: "Site", metadata: key },
  spec: { host: "shop.example.com", replicas: 2 },
};
const fakeClient = () =>
  createFakeClient({ scheme: createScheme(sites), objects: [shop], statusSubresources: [sites] });

test("copies the ready replicas into the status", async () => {
  const client = fakeClient();
  const reconcile = createSiteReconciler(client);
  const context = {} as ReconcileContext;
  await reconcile(key, context);
  const deployment = await client.get(deployments, key);
  expect(deployment.spec?.replicas).toBe(2);

  // What the Deployment controller does in a cluster.
  await client.status.update({ ...deployment, status: { readyReplicas: 1 } });
  await reconcile(key, context);
  expect((await client.get(sites, key)).status).toEqual({ readyReplicas: 1 });
});

test("recovers from each request that fails", async () => {
  const writes = await checkFaults(() => ({
    client: fakeClient(),
    ...{ resource: sites, request: key, reconciler: createSiteReconciler },
    steps: [scaleToThree],
  }));
  expect(writes).toEqual([
    "create Deployment default/shop",
    "update Site/status default/shop",
    "update Deployment default/shop",
  ]);
});

async function scaleToThree(client: Client): Promise<void> {
  const site = await client.get(sites, key);
  await client.update({ ...site, spec: { host: "shop.example.com", replicas: 3 } });
}

test("runs the replicas that a Site asks for, and repairs a Deployment that was deleted", async () => {
  await using suite = await startSuite();
  const { client } = suite.cluster;
  const site = client.resource(sites).namespace("default");
  await site.create(shop);
  const ready = async () => (await site.get("shop")).status?.readyReplicas;
  await eventually(async () => expect(await ready()).toBe(2), { timeout: 30_000 });

  const all = client.resource(deployments).namespace("default");
  const { uid } = (await all.get("shop")).metadata ?? {};
  await all.delete("shop");
  await eventually(async () => expect((await all.get("shop")).metadata?.uid).not.toBe(uid));
});

/** Starts a cluster, and the operator on it. TEST_CLUSTER=envtest makes it a real kube-apiserver with etcd. */
async function startSuite() {
  const cluster = await startTestCluster({
    crds: [siteCrd],
    controllers: true,
    provider: process.env.TEST_CLUSTER === "envtest" ? "envtest" : "embedded",
  });
  const logger = createLogger({ level: "silent" });
  const manager = createManager(cluster.kubeConfig, { scheme: createScheme(sites), logger });
  setupWithManager(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  return {
    cluster,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await cluster.stop();
    },
  };
}
