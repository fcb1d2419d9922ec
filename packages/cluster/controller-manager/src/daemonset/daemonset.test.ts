import { type DaemonSet, daemonSets, nodes, pods } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { controllerRevisions } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import type { FakeKubelet } from "../testing/fake-kubelet.ts";
import { createFailureBackoff } from "./daemonset.ts";

let cluster: TestCluster;
const kubelets: FakeKubelet[] = [];
const unready = new Set<string>();

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
  for (const nodeName of ["node-1", "node-2", "node-3"]) {
    const becomesReady = (pod: { spec?: { containers: { image?: string }[] } }) =>
      !unready.has(pod.spec?.containers[0]?.image ?? "");
    kubelets.push(await cluster.startKubelet({ nodeName, becomesReady }));
  }
});
afterAll(() => cluster.stop());

async function scene(spec: Partial<NonNullable<DaemonSet["spec"]>> = {}, podSpec: object = {}) {
  const namespace = await cluster.namespace();
  const sets = cluster.client.resource(daemonSets).namespace(namespace);
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  const labels = { app: "agent" };
  await sets.create({
    metadata: { name: "agent", namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "agent:1" }], ...podSpec } },
      ...spec,
    },
  });
  const status = async () => (await sets.get("agent")).status;
  return {
    namespace,
    sets,
    pods: inNamespace,
    status,
    image: (image: string) =>
      sets.patch(
        "agent",
        { spec: { template: { spec: { containers: [{ name: "a", image }] } } } },
        { type: "strategic" },
      ),
    shown: async () =>
      (await inNamespace.list()).items
        .map(({ spec }) => `${spec?.nodeName} ${spec?.containers[0]?.image}`)
        .sort(),
    available: (count: number) =>
      expect.poll(async () => (await status())?.numberAvailable, within).toBe(count),
    revisions: async () =>
      (await cluster.client.resource(controllerRevisions).namespace(namespace).list()).items
        .map(({ revision }) => revision)
        .sort(),
  };
}

test("each node gets a Pod that tolerates node problems and is bound to the node", async () => {
  const agent = await scene();
  await expect.poll(agent.shown, within).toEqual(["node-1 agent:1", "node-2 agent:1", "node-3 agent:1"]);
  await agent.available(3);
  expect(await agent.status()).toEqual({
    currentNumberScheduled: 3,
    desiredNumberScheduled: 3,
    numberAvailable: 3,
    numberMisscheduled: 0,
    numberReady: 3,
    observedGeneration: 1,
    updatedNumberScheduled: 3,
  });
  const [pod] = (await agent.pods.list()).items;
  expect(pod?.metadata).toMatchObject({
    generateName: "agent-",
    labels: { "controller-revision-hash": expect.any(String), "pod-template-generation": "1" },
  });
  expect(pod?.spec?.tolerations?.map(({ key }) => key?.split("/")[1])).toEqual([
    "not-ready",
    "unreachable",
    "disk-pressure",
    "memory-pressure",
    "pid-pressure",
    "unschedulable",
  ]);
  expect(pod?.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
    nodeSelectorTerms: [
      { matchFields: [{ key: "metadata.name", operator: "In", values: [pod?.spec?.nodeName] }] },
    ],
  });
  await agent.pods.delete(pod?.metadata?.name ?? "");
  await expect
    .poll(async () => (await agent.pods.list()).items.map(({ metadata }) => metadata?.uid), within)
    .not.toContain(pod?.metadata?.uid);
  await agent.available(3);
});

test("labels and taints of nodes decide where Pods run, also after their start", async () => {
  const all = cluster.client.resource(nodes);
  const agent = await scene({}, { nodeSelector: { disk: "ssd" } });
  await expect.poll(async () => (await agent.status())?.observedGeneration, within).toBe(1);
  expect(await agent.shown()).toEqual([]);
  await all.patch("node-2", { metadata: { labels: { disk: "ssd" } } }, { type: "merge" });
  await expect.poll(agent.shown, within).toEqual(["node-2 agent:1"]);
  await all.patch("node-2", { spec: { unschedulable: true } }, { type: "merge" });
  await agent.available(1);
  await all.patch(
    "node-2",
    { spec: { unschedulable: null, taints: [{ key: "maintenance", effect: "NoExecute" }] } },
    { type: "merge" },
  );
  await expect.poll(agent.shown, within).toEqual([]);
  await all.patch(
    "node-2",
    { spec: { taints: null }, metadata: { labels: { disk: null } } },
    { type: "merge" },
  );
});

test("a rolling update replaces one Pod after the other, stops at a broken revision, and can be undone", async () => {
  const agent = await scene();
  await agent.available(3);
  unready.add("agent:broken");
  await agent.image("agent:broken");
  await expect.poll(async () => (await agent.status())?.numberUnavailable, within).toBe(1);
  await expect
    .poll(async () => (await agent.shown()).filter((pod) => pod.endsWith("broken")), within)
    .toHaveLength(1);
  await expect.poll(agent.status, within).toMatchObject({ updatedNumberScheduled: 1, numberAvailable: 2 });
  await agent.image("agent:1");
  await expect.poll(agent.shown, within).toEqual(["node-1 agent:1", "node-2 agent:1", "node-3 agent:1"]);
  await agent.available(3);
  expect(await agent.revisions()).toEqual([2, 3]);
});

test("with maxSurge a Pod of the new revision starts before the old one is deleted", async () => {
  const agent = await scene({
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  });
  await agent.available(3);
  unready.add("agent:slow");
  await agent.image("agent:slow");
  await expect.poll(async () => (await agent.shown()).length, within).toBe(4);
  await agent.available(3);
  unready.delete("agent:slow");
  for (const kubelet of kubelets) await kubelet.resync();
  await expect
    .poll(agent.shown, within)
    .toEqual(["node-1 agent:slow", "node-2 agent:slow", "node-3 agent:slow"]);
});

test("OnDelete waits until Pods are deleted, and a finished Pod is replaced", async () => {
  const agent = await scene({ updateStrategy: { type: "OnDelete" } });
  await agent.available(3);
  await agent.image("agent:2");
  await expect.poll(async () => (await agent.status())?.observedGeneration, within).toBe(2);
  const victim = (await agent.pods.list()).items.find(({ spec }) => spec?.nodeName === "node-1");
  await agent.pods.patch(
    victim?.metadata?.name ?? "",
    { status: { phase: "Failed" } },
    { type: "merge", subresource: "status" },
  );
  await expect.poll(agent.shown, within).toEqual(["node-1 agent:2", "node-2 agent:1", "node-3 agent:1"]);
});

const minute = 60_000;

test("doubles the wait for each failed Pod, counts a Pod once, and starts over after a quiet half hour", () => {
  let now = 0;
  const failures = createFailureBackoff(() => now);
  expect(failures.waitFor("a", "1")).toBe(0);
  expect(failures.waitFor("a", "2")).toBe(1000);
  now += 400;
  expect(failures.waitFor("a", "2")).toBe(600);
  expect(failures.waitFor("a", "3")).toBe(2000);
  now += 2000 + 30 * minute;
  expect(failures.waitFor("a", "4")).toBe(0);
});

test("forgets places without a failure for half an hour", () => {
  let now = 0;
  const failures = createFailureBackoff(() => now);
  for (let i = 0; i < 50; i++) failures.waitFor(`node-${i}`, "1");
  now += 10 * minute;
  failures.waitFor("node-0", "2");
  expect(failures.size).toBe(50);
  now += 25 * minute;
  failures.waitFor("another", "1");
  expect(failures.size).toBe(2);
});
