import { ApiError, events, nodes, type Pod, type PodSpec, pods, type Transport } from "@operator-path/client";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({ interfere: refuseStatus });
  await cluster.startKubelet({ nodeName: "node-1" });
  await cluster.startKubelet({ nodeName: "node-2" });
  // A node that has not reported Ready yet takes no Pods.
  await vi.waitFor(async () => expect(await taints()).toEqual([[], []]), within);
});
afterAll(() => cluster.stop());

async function taints() {
  const { items } = await cluster.client.resource(nodes).list();
  return items.map(({ spec }) => (spec?.taints ?? []).map(({ key }) => key));
}

/** Names of Pods whose next status write is rejected. */
const refused = new Set<string>();
const refuseStatus = (transport: Transport): Transport => ({
  ...transport,
  async request(request) {
    const [, name = ""] = /\/pods\/([^/]+)\/status$/.exec(request.path) ?? [];
    if (request.method === "PATCH" && refused.delete(name))
      throw new ApiError({ code: 500, reason: "InternalError", message: "etcdserver: leader changed" });
    return transport.request(request);
  },
});

const uncordoned = { spec: { unschedulable: null } };
const cordoned = { spec: { unschedulable: true } };
const patchNode = (name: string, patch: object) =>
  cluster.client.resource(nodes).patch(name, patch, { type: "merge" });

async function pod(name: string, spec: Partial<PodSpec> = {}) {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  // The ServiceAccount controller may need a moment.
  await expect
    .poll(
      () =>
        inNamespace
          .create({
            metadata: { name, namespace },
            spec: { containers: [{ name: "a", image: "a" }], ...spec },
          })
          .then(() => "created", String),
      within,
    )
    .toBe("created");
  return {
    get: () => inNamespace.get(name),
    nodeName: async () => (await inNamespace.get(name)).spec?.nodeName,
    events: async () => {
      const { items } = await cluster.client.resource(events).namespace(namespace).list();
      return items.map(({ reason, message, source }) => `${source?.component} ${reason}: ${message}`);
    },
    namespace,
  };
}

const scheduled = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === "PodScheduled");

test("binds a Pod to a node, and an Event names the node", async () => {
  const plain = await pod("plain");
  await expect.poll(plain.nodeName, within).toMatch(/^node-[12]$/);
  const assigned = `Successfully assigned ${plain.namespace}/plain to ${await plain.nodeName()}`;
  await expect.poll(plain.events, within).toEqual([`default-scheduler Scheduled: ${assigned}`]);
});

test("reports why a Pod fits nowhere, and binds it as soon as a node changes", async () => {
  const picky = await pod("picky", { nodeSelector: { disk: "ssd" } });
  const why =
    "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, " +
    "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.";
  await expect
    .poll(async () => scheduled(await picky.get()), within)
    .toMatchObject({ status: "False", reason: "Unschedulable", message: why });
  await expect.poll(picky.events, within).toEqual([`default-scheduler FailedScheduling: ${why}`]);
  await patchNode("node-2", { metadata: { labels: { disk: "ssd" } } });
  await expect.poll(picky.nodeName, within).toBe("node-2");
  expect(scheduled(await picky.get())?.status).toBe("True");
});

test("eventually reports why a Pod fits nowhere, even if the first write failed", async () => {
  refused.add("unlucky");
  const unlucky = await pod("unlucky", { nodeSelector: { disk: "tape" } });
  await expect
    .poll(async () => scheduled(await unlucky.get()), within)
    .toMatchObject({ status: "False", reason: "Unschedulable" });
  expect(refused).toEqual(new Set());
  await expect.poll(unlucky.events, within).toEqual([expect.stringContaining("FailedScheduling: 0/2 nodes")]);
});

test("only tolerant Pods are bound to cordoned nodes", async () => {
  onTestFinished(async () => {
    for (const name of ["node-1", "node-2"]) await patchNode(name, uncordoned);
  });
  await patchNode("node-1", cordoned);
  await patchNode("node-2", cordoned);
  // The scheduler reads the same cache, and could otherwise bind a Pod before it sees the change.
  const unschedulable = ["node.kubernetes.io/unschedulable"];
  await expect.poll(taints, within).toEqual([unschedulable, unschedulable]);
  const web = await pod("web");
  await expect
    .poll(async () => scheduled(await web.get())?.message, within)
    .toMatch(/^0\/2 nodes are available: 2 node\(s\) were unschedulable\./);
  const daemon = await pod("daemon", {
    tolerations: [{ key: "node.kubernetes.io/unschedulable", operator: "Exists" }],
  });
  await expect.poll(daemon.nodeName, within).toMatch(/^node-[12]$/);
  expect(await web.nodeName()).toBeUndefined();
  await patchNode("node-1", uncordoned);
  await patchNode("node-2", uncordoned);
  await expect.poll(web.nodeName, within).toMatch(/^node-[12]$/);
});

test("a Pod waits for room, and is bound when another Pod ends", async () => {
  const asks = (cpu: string) => ({
    containers: [{ name: "a", image: "a", resources: { requests: { cpu } } }],
  });
  const large = [await pod("large", asks("3")), await pod("large", asks("3"))];
  for (const { nodeName } of large) await expect.poll(nodeName, within).toBeDefined();
  expect(new Set(await Promise.all(large.map(({ nodeName }) => nodeName()))).size).toBe(2);
  const late = await pod("late", asks("2"));
  await expect
    .poll(async () => scheduled(await late.get())?.message, within)
    .toMatch(/^0\/2 nodes are available: 2 Insufficient cpu\./);
  await cluster.client
    .resource(pods)
    .namespace(large[0]?.namespace ?? "")
    .delete("large");
  await expect.poll(late.nodeName, within).toBeDefined();
});

test("ignores Pods of other schedulers, gated Pods and Pods that name their node", async () => {
  const other = await pod("other", { schedulerName: "volcano" });
  const gated = await pod("gated", { schedulingGates: [{ name: "example.com/wait" }] });
  const preset = await pod("preset", { nodeName: "missing-node" });
  const last = await pod("last");
  // The scheduler takes Pods in turn, so it has skipped the others.
  await expect.poll(last.nodeName, within).toBeDefined();
  expect(await other.nodeName()).toBeUndefined();
  expect(await gated.nodeName()).toBeUndefined();
  expect(await preset.nodeName()).toBe("missing-node");
  expect(await preset.events()).toEqual([]);
});
