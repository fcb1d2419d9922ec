import { type PersistentVolumeClaim, pods } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { persistentVolumeClaims } from "../resources.ts";
import { delayEvents, startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
/** Blocks watches of Pods until released, so that the cache stays behind. */
let blocked: PromiseWithResolvers<void> | undefined;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({
    interfere: (transport) => delayEvents(transport, "/api/v1/pods", () => blocked?.promise),
  });
  await cluster.startKubelet();
});
afterAll(() => cluster.stop());

const claim = (namespace: string): PersistentVolumeClaim => ({
  metadata: { name: "data", namespace },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
});

test("deletes an unused claim", async () => {
  const namespace = await cluster.namespace();
  const claims = cluster.client.resource(persistentVolumeClaims).namespace(namespace);
  const created = await claims.create(claim(namespace));
  expect(created.metadata?.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
  await claims.delete("data");
  await expect.poll(async () => (await claims.list()).items, within).toEqual([]);
});

test.each([
  ["has been seen", false],
  ["is not in the cache yet", true],
])("a used claim is deleted with its Pod, when the Pod %s", async (_when, late) => {
  const namespace = await cluster.namespace();
  const claims = cluster.client.resource(persistentVolumeClaims).namespace(namespace);
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  await claims.create(claim(namespace));
  if (late) blocked = Promise.withResolvers();
  await inNamespace.create({
    metadata: { name: "user", namespace },
    spec: {
      nodeName: "somewhere",
      containers: [{ name: "a", image: "a" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    },
  });
  await claims.delete("data");
  const other = { ...claim(namespace), metadata: { name: "other", namespace } };
  await claims.create(other);
  await claims.delete("other");
  // When the unused claim is deleted, the controller has checked both.
  await expect
    .poll(async () => (await claims.list()).items.map(({ metadata }) => metadata?.name), within)
    .toEqual(["data"]);
  blocked?.resolve();
  await inNamespace.delete("user", { gracePeriodSeconds: 0 });
  await expect.poll(async () => (await claims.list()).items, within).toEqual([]);
});
