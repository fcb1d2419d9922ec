import { deployments, type KubeObject, services } from "@operator-path/client";
import { type Client, createLogger, createScheme, type Manager, Registry } from "@operator-path/controller-runtime";
import { checkFaults, createFakeClient } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { ovhNginxes } from "../api/v1/zz_generated.resources.ts";
import { createOvhNginxReconciler } from "./ovhnginx.controller.ts";
import { log, request, sample } from "./sample.ts";
import type { Zone } from "./zone.ts";

const address = "51.210.253.158";

/** A reconciler on a fake client, with a zone in memory and metrics of its own. */
function start(objects: KubeObject[] = [sample()]) {
  const client = createFakeClient({
    ...{ scheme: createScheme(ovhNginxes), objects, statusSubresources: [ovhNginxes] },
  });
  const names = new Map<string, string>();
  const zone: Zone = {
    set: async (name, address) => void names.set(name, address),
    remove: async (name) => void names.delete(name),
  };
  const metrics = new Registry();
  const createReconciler = (client: Client) => createOvhNginxReconciler({ client, metrics } as Manager, zone);
  const series = async () => (await metrics.getSingleMetric("ovhnginx_ready_replicas")?.get())?.values ?? [];
  return { client, names, zone, createReconciler, series };
}

/** Does what the cluster does: the Pods become ready, and the load balancer gets an address. */
async function becomeReady(client: Client): Promise<void> {
  const deployment = await client.get(deployments, request);
  const { replicas = 0 } = deployment.spec ?? {};
  await client.status.update({ ...deployment, status: { replicas, readyReplicas: replicas } });
  const service = await client.get(services, request);
  await client.status.update({ ...service, status: { loadBalancer: { ingress: [{ ip: address }] } } });
}

test("a failed request is tried again, and changes nothing else", async () => {
  const writes = await checkFaults(() => {
    const { client, names, createReconciler, series } = start();
    return {
      client,
      resource: ovhNginxes,
      request,
      reconciler: createReconciler,
      steps: [
        becomeReady,
        async (client) => {
          const ovhNginx = await client.get(ovhNginxes, request);
          expect(ovhNginx.status).toMatchObject({
            readyReplicas: 2,
            address,
            conditions: [{ type: "Available", status: "True", reason: "AllReady",
                observedGeneration: ovhNginx.metadata?.generation, message: "2 of 2 Pods are ready" }],
          });
          expect([...names]).toEqual([["sample.test", address]]);
          expect(await series()).toMatchObject([{ value: 2, labels: { namespace: "test", name: "sample" } }]);
          await client.update({ ...ovhNginx, spec: { replicaCount: 3, port: 9090 } });
        },
        async (client) => {
          const { status } = await client.get(ovhNginxes, request);
          expect(status?.conditions).toMatchObject([
            { status: "False", reason: "PodsMissing", message: expect.stringContaining("of 3 Pods are ready") },
          ]);
        },
        becomeReady,
      ],
      outside: async () => ({ names: [...names], series: await series() }),
    };
  });
  expect(writes).toEqual([
    "update OvhNginx test/sample",
    "create Deployment test/sample",
    "create Service test/sample",
    "update OvhNginx/status test/sample",
    "update OvhNginx/status test/sample",
    "update Deployment test/sample",
    "update Service test/sample",
    "update OvhNginx/status test/sample",
    "update OvhNginx/status test/sample",
    "update OvhNginx test/sample",
  ]);
});

test("a zone that fails is tried again, and the object stays until its name is removed", async () => {
  const { client, names, zone, createReconciler } = start();
  const reconcile = createReconciler(client);
  const context = { log } as Parameters<typeof reconcile>[1];
  const { set, remove } = zone;
  const refuse = () => Promise.reject(new Error("the provider is down"));
  await reconcile(request, context);
  await reconcile(request, context);
  await becomeReady(client);

  zone.set = refuse;
  await expect(reconcile(request, context)).rejects.toThrow("the provider is down");
  expect((await client.get(ovhNginxes, request)).status).toMatchObject({ readyReplicas: 2, address });
  zone.set = set;
  await reconcile(request, context);
  expect([...names.keys()]).toEqual(["sample.test"]);

  await client.delete(await client.get(ovhNginxes, request));
  zone.remove = refuse;
  await expect(reconcile(request, context)).rejects.toThrow("the provider is down");
  expect(await client.list(ovhNginxes)).toHaveLength(1);
  zone.remove = remove;
  await reconcile(request, context);
  expect(await client.list(ovhNginxes)).toEqual([]);
  expect([...names]).toEqual([]);
});

test("a name without an address is removed, and tried again if the zone fails", async () => {
  const { client, names, zone, createReconciler } = start();
  const reconcile = createReconciler(client);
  const context = { log } as Parameters<typeof reconcile>[1];
  const { remove } = zone;
  await reconcile(request, context);
  await reconcile(request, context);
  await becomeReady(client);
  await reconcile(request, context);
  expect([...names]).toEqual([["sample.test", address]]);

  await client.delete(await client.get(services, request));
  zone.remove = () => Promise.reject(new Error("the provider is down"));
  await expect(reconcile(request, context)).rejects.toThrow("the provider is down");
  expect((await client.get(ovhNginxes, request)).status).not.toHaveProperty("address");
  zone.remove = remove;
  await reconcile(request, context);
  expect([...names]).toEqual([]);

  await becomeReady(client);
  await reconcile(request, context);
  expect([...names]).toEqual([["sample.test", address]]);
});

test("nothing is kept of 100 objects that came and went", async () => {
  const { client, names, createReconciler, series } = start([]);
  const reconcile = createReconciler(client);
  const context = { log } as Parameters<typeof reconcile>[1];
  for (let i = 0; i < 100; i++) {
    const one = { namespace: "test", name: `sample-${i}` };
    const created = await client.create({ ...sample(), metadata: one });
    // The finalizer, the Deployment and the Service, the deletion, and the news that it is gone.
    await reconcile(one, context);
    await reconcile(one, context);
    await client.delete(created);
    await reconcile(one, context);
    await reconcile(one, context);
  }
  expect({ names: names.size, series: (await series()).length }).toEqual({ names: 0, series: 0 });
});

/** Those of an earlier OvhNginx of the same name, whose objects the garbage collector has yet to delete. */
const ownerReferences = [
  { apiVersion: "tutorials.ovhcloud.com/v1", kind: "OvhNginx", name: "sample", uid: "0", controller: true },
];
test.each([
  { apiVersion: "apps/v1", kind: "Deployment", metadata: request },
  { apiVersion: "v1", kind: "Service", metadata: request },
  { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...request, ownerReferences } },
  { apiVersion: "v1", kind: "Service", metadata: { ...request, ownerReferences } },
])("a $kind of its name that is not its own is left alone", async (foreign) => {
  const { client, createReconciler } = start([sample(), foreign]);
  const reconcile = createReconciler(client);
  const context = { log } as Parameters<typeof reconcile>[1];
  await reconcile(request, context);
  await expect(reconcile(request, context)).rejects.toThrow(
    `${foreign.kind} sample has another owner or none`,
  );
  expect(await client.get(client.scheme.resourceFor(foreign), request)).not.toHaveProperty("spec");
});

test("an object that only others' finalizers keep is left alone", async () => {
  const metadata = { ...sample().metadata, deletionTimestamp: "2026-11-22T00:00:00Z", finalizers: ["another.controller/cleanup"] };
  const { client, createReconciler } = start([{ ...sample(), metadata }]);
  const reconcile = createReconciler(client);
  expect(await reconcile(request, { log } as Parameters<typeof reconcile>[1])).toEqual({});
  expect(await client.list(deployments)).toEqual([]);
});

test("Deployment and Service belong together, and the Pods run nginx", async () => {
  const { client, createReconciler } = start();
  const reconcile = createReconciler(client);
  for (let i = 0; i < 2; i++) await reconcile(request, { log } as Parameters<typeof reconcile>[1]);
  const labels = { app: "nginx", ovhnginx_cr: "sample" };
  const deployment = await client.get(deployments, request);
  const service = await client.get(services, request);
  expect(deployment.metadata?.labels).toEqual(labels);
  expect(service.metadata?.labels).toEqual(labels);
  expect(deployment.spec).toMatchObject({ selector: { matchLabels: labels }, template: { metadata: { labels } } });
  expect(service.spec).toMatchObject({ selector: labels, ports: [{ name: "http", port: 8080, targetPort: "http" }] });
  const image = expect.stringMatching(/^nginxinc\/nginx-unprivileged:/);
  expect(deployment.spec?.template.spec?.containers).toMatchObject([{ name: "nginx", image }]);
});

test("each change has a line in the log", async () => {
  const { client, createReconciler } = start();
  const reconcile = createReconciler(client);
  const lines: string[] = [];
  const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line).msg) } });
  const context = { log } as Parameters<typeof reconcile>[1];
  for (let i = 0; i < 2; i++) await reconcile(request, context);
  const ovhNginx = await client.get(ovhNginxes, request);
  await client.update({ ...ovhNginx, spec: { replicaCount: 3, port: 9090 } });
  await reconcile(request, context);
  await client.delete(await client.get(ovhNginxes, request));
  await reconcile(request, context);
  expect(lines).toEqual([
    "✨ Creating a new Deployment",
    "✨ Creating a new Service",
    "scaling the Deployment from 2 to 3",
    "the Service listens on 9090",
    "🧹 Removing the name",
  ]);
});
