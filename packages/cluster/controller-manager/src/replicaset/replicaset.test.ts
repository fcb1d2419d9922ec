import { events, pods, type ReplicaSet, replicaSets, serviceAccounts } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
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

const labels = { app: "web" };

async function replicaSet(replicas: number, podSpec: object = {}) {
  const namespace = await cluster.namespace();
  const sets = cluster.client.resource(replicaSets).namespace(namespace);
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  await sets.create({
    metadata: { name: "web", namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }], ...podSpec } },
    },
  } as ReplicaSet);
  return {
    namespace,
    pods: inNamespace,
    scale: (replicas: number) => sets.patch("web", { spec: { replicas } }, { type: "merge" }),
    status: async () => (await sets.get("web")).status,
    live: async () => (await inNamespace.list()).items.filter(({ metadata }) => !metadata?.deletionTimestamp),
    messages: async () => {
      const { items } = await cluster.client.resource(events).namespace(namespace).list();
      return items.map(({ reason, message }) => `${reason}: ${message}`);
    },
    ready: (count: number) =>
      expect.poll(async () => (await sets.get("web")).status?.readyReplicas, within).toBe(count),
  };
}

test("creates, deletes and replaces Pods until there are spec.replicas", async () => {
  const web = await replicaSet(3);
  await web.ready(3);
  expect(await web.status()).toMatchObject({
    replicas: 3,
    fullyLabeledReplicas: 3,
    availableReplicas: 3,
    observedGeneration: 1,
  });
  const [first] = await web.live();
  await expect
    .poll(web.messages, within)
    .toContain(`SuccessfulCreate: Created pod: ${first?.metadata?.name}`);

  await web.pods.delete(first?.metadata?.name ?? "");
  await expect
    .poll(
      async () => (await web.live()).filter(({ metadata }) => metadata?.uid !== first?.metadata?.uid).length,
      within,
    )
    .toBe(3);
  await web.scale(1);
  await expect.poll(async () => (await web.live()).length, within).toBe(1);
  await expect
    .poll(web.messages, within)
    .toContainEqual(expect.stringMatching(/^SuccessfulDelete: Deleted pod: web-/));
  await web.scale(5);
  await web.ready(5);
});

test("a stale cache does not cause a second set of Pods", async () => {
  const web = await replicaSet(2);
  await web.ready(2);
  blocked = Promise.withResolvers();
  await web.scale(6);
  await expect.poll(async () => (await web.live()).length, within).toBe(6);
  // The ReplicaSet changes, so it is reconciled repeatedly while the cache does not show the new Pods.
  for (const count of [7, 8, 9]) {
    await web.scale(count);
    await expect
      .poll(async () => (await web.status())?.observedGeneration, within)
      .toBeGreaterThanOrEqual(count - 4);
  }
  expect(await web.live()).toHaveLength(6);
  blocked.resolve();
  blocked = undefined;
  await web.ready(9);
  expect(await web.live()).toHaveLength(9);
});

test("adopts a matching orphan, and releases and replaces a Pod that no longer matches", async () => {
  const web = await replicaSet(1);
  await web.ready(1);
  const [own] = await web.live();
  const name = own?.metadata?.name ?? "";
  await web.pods.patch(name, { metadata: { labels: { app: "debugged" } } }, { type: "merge" });
  await expect
    .poll(async () => (await web.pods.get(name)).metadata?.ownerReferences ?? [], within)
    .toEqual([]);
  await expect.poll(async () => (await web.live()).length, within).toBe(2);
  await web.ready(1);

  await web.scale(2);
  await web.ready(2);
  await web.pods.create({
    metadata: { name: "stray", namespace: web.namespace, labels },
    spec: { containers: [{ name: "web", image: "web" }] },
  });
  // Three Pods match and two are wanted. Whichever is deleted, the stray one was adopted before.
  await expect
    .poll(
      async () => (await web.live()).filter(({ metadata }) => metadata?.labels?.app === "web").length,
      within,
    )
    .toBe(2);
  for (const { metadata } of await web.live()) {
    if (metadata?.labels?.app === "web")
      expect(metadata.ownerReferences).toMatchObject([{ name: "web", controller: true }]);
  }
});

test("reports why Pods cannot be created, and retries until it works", async () => {
  const web = await replicaSet(2, { serviceAccountName: "robot" });
  await expect
    .poll(async () => (await web.status())?.conditions, within)
    .toMatchObject(
      [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: /./ }].map(loosely),
    );
  await expect
    .poll(web.messages, within)
    .toContainEqual(expect.stringMatching(/^FailedCreate: Error creating: pods "web-/));
  await cluster.client
    .resource(serviceAccounts)
    .namespace(web.namespace)
    .create({ metadata: { name: "robot", namespace: web.namespace } });
  await web.ready(2);
  await expect.poll(async () => (await web.status())?.conditions ?? [], within).toEqual([]);
});

function loosely({ message, ...exact }: { message: RegExp }) {
  return { ...exact, message: expect.stringMatching(message) };
}
