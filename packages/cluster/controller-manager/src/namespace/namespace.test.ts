import { configMaps, deployments, isNotFound, namespaces, pods, secrets } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import type { FakeKubelet } from "../testing/fake-kubelet.ts";

let cluster: TestCluster;
let kubelet: FakeKubelet;
let holdTermination = false;

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
  kubelet = await cluster.startKubelet({ terminates: () => !holdTermination });
});
afterAll(() => cluster.stop());

const exists = (name: string) =>
  cluster.client
    .resource(namespaces)
    .get(name)
    .then(
      () => true,
      (error) => !isNotFound(error),
    );

test("deletes everything in a namespace, Pods before the objects that they may need", async () => {
  holdTermination = true;
  const namespace = await cluster.namespace();
  const { client } = cluster;
  const labels = { app: "web" };
  await client
    .resource(secrets)
    .namespace(namespace)
    .create({ metadata: { name: "password", namespace } });
  await client
    .resource(deployments)
    .namespace(namespace)
    .create({
      metadata: { name: "web", namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "web", image: "web" }], terminationGracePeriodSeconds: 30 },
        },
      },
    });
  const status = async () => (await client.resource(namespaces).get(namespace)).status;
  const all = client.resource(pods).namespace(namespace);
  await expect
    .poll(
      async () => (await all.list()).items.filter(({ status }) => status?.phase === "Running").length,
      within,
    )
    .toBe(2);

  await client.resource(namespaces).delete(namespace);
  await expect
    .poll(
      async () => (await status())?.conditions?.find(({ type }) => type === "NamespaceContentRemaining"),
      within,
    )
    .toMatchObject({
      status: "True",
      reason: "SomeResourcesRemain",
      message: "Some resources are remaining: pods. has 2 resource instances",
    });
  expect((await status())?.phase).toBe("Terminating");
  expect(
    (await client.resource(secrets).namespace(namespace).get("password")).metadata?.deletionTimestamp,
  ).toBeUndefined();

  holdTermination = false;
  await kubelet.resync();
  await expect.poll(() => exists(namespace), within).toBe(false);
});

test("a finalizer keeps the namespace, and its conditions name it", async () => {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(configMaps).namespace(namespace);
  await inNamespace.create({ metadata: { name: "held", namespace, finalizers: ["example.com/hold"] } });
  await cluster.client.resource(namespaces).delete(namespace);
  await expect
    .poll(async () => {
      const { status } = await cluster.client.resource(namespaces).get(namespace);
      return status?.conditions?.find(({ type }) => type === "NamespaceFinalizersRemaining");
    }, within)
    .toMatchObject({
      status: "True",
      reason: "SomeFinalizersRemain",
      message:
        "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    });
  await inNamespace.patch("held", { metadata: { finalizers: null } }, { type: "merge" });
  await expect.poll(() => exists(namespace), within).toBe(false);
});

test("waits before it deletes the contents, so that `kubectl delete -f` of a folder finds what it deletes", async () => {
  const own = await startTestCluster();
  onTestFinished(own.stop);
  const clock = createFakeClock(Date.now());
  await own.startManager({ clock });
  const namespace = await own.namespace();
  const inNamespace = own.client.resource(configMaps).namespace(namespace);
  const names = async () => (await inNamespace.list()).items.map(({ metadata }) => metadata?.name);
  await inNamespace.create({ metadata: { name: "content", namespace } });
  const before = clock.pending();
  await own.client.resource(namespaces).delete(namespace);
  await expect.poll(() => clock.pending(), within).toBeGreaterThan(before);
  await clock.advance(1000);
  expect(await names()).toContain("content");
  // The new timer may have been another one's: the controller may begin to wait only now.
  const namesLater = async () => {
    await clock.advance(2000);
    return names();
  };
  await expect.poll(namesLater, within).toEqual([]);
});
