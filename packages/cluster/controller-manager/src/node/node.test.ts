import { nodes, pods, type Transport } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
const clock = createFakeClock(Date.now());

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({ clock, interfere: leaveArrivingAlone });
});
afterAll(() => cluster.stop());

test("taints a node by its conditions, and leaves other taints alone", async () => {
  const all = cluster.client.resource(nodes);
  const own = { key: "dedicated", value: "db", effect: "NoSchedule" };
  await all.create({ metadata: { name: "tainted" }, spec: { taints: [own] } });
  const report = (status: string) => {
    const conditions = [{ type: "Ready", status }];
    return all.patch("tainted", { status: { conditions } }, { type: "merge", subresource: "status" });
  };
  const taints = async () =>
    (await all.get("tainted")).spec?.taints?.map(({ key, effect }) => `${key}:${effect}`).sort();
  await report("False");
  await expect
    .poll(taints, within)
    .toEqual([
      "dedicated:NoSchedule",
      "node.kubernetes.io/not-ready:NoExecute",
      "node.kubernetes.io/not-ready:NoSchedule",
    ]);
  await report("Unknown");
  await expect
    .poll(taints, within)
    .toEqual([
      "dedicated:NoSchedule",
      "node.kubernetes.io/unreachable:NoExecute",
      "node.kubernetes.io/unreachable:NoSchedule",
    ]);
  await report("True");
  await expect.poll(taints, within).toEqual(["dedicated:NoSchedule"]);
  await all.patch("tainted", { spec: { unschedulable: true } }, { type: "merge" });
  await expect
    .poll(taints, within)
    .toEqual(["dedicated:NoSchedule", "node.kubernetes.io/unschedulable:NoSchedule"]);
  await all.delete("tainted");
});

test("deletes the Pods of a missing node after a while, and keeps them if it returns in time", async () => {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  const create = (name: string, nodeName: string) =>
    expect
      .poll(async () => {
        await clock.advance(100);
        const spec = { nodeName, containers: [{ name: "a", image: "a" }] };
        return inNamespace.create({ metadata: { name, namespace }, spec }).then(() => "created", String);
      }, within)
      .toBe("created");
  await create("stranded", "gone");
  await create("lucky", "late");
  const names = async () => (await inNamespace.list()).items.map(({ metadata }) => metadata?.name);
  await clock.advance(30_000);
  expect(await names()).toEqual(["lucky", "stranded"]);
  await cluster.client.resource(nodes).create({ metadata: { name: "late" } });
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return names();
    }, within)
    .toEqual(["lucky"]);
  await clock.advance(60_000);
  expect(await names()).toEqual(["lucky"]);
});

test("evicts Pods of a node that is not ready after their toleration, unless it recovers", async () => {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  const all = cluster.client.resource(nodes);
  await all.create({ metadata: { name: "shaky" } });
  const report = (status: string) => {
    const conditions = [{ type: "Ready", status }];
    return all.patch("shaky", { status: { conditions } }, { type: "merge", subresource: "status" });
  };
  await report("True");
  const create = (name: string, tolerations: object[]) =>
    expect
      .poll(async () => {
        await clock.advance(100);
        const spec = { nodeName: "shaky", tolerations, containers: [{ name: "a", image: "a" }] } as never;
        return inNamespace.create({ metadata: { name, namespace }, spec }).then(() => "created", String);
      }, within)
      .toBe("created");
  await create("ordinary", []);
  await create("brief", [
    { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 10 },
  ]);
  await create("steadfast", [{ operator: "Exists" }]);
  // A bound Pod waits for its kubelet. Here it only matters that its deletion has begun.
  const staying = async () =>
    (await inNamespace.list()).items
      .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata?.name);
  const tainted = async () => ((await all.get("shaky")).spec?.taints ?? []).length;

  await report("False");
  await expect.poll(tainted, within).toBe(2);
  await clock.advance(5_000);
  await report("True");
  await expect.poll(tainted, within).toBe(0);
  await clock.advance(20_000);
  expect(await staying()).toEqual(["brief", "ordinary", "steadfast"]);

  await report("False");
  await expect
    .poll(async () => {
      await clock.advance(1_000);
      return staying();
    }, within)
    .toEqual(["ordinary", "steadfast"]);
  expect((await inNamespace.get("brief")).status?.conditions).toMatchObject([
    { type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager" },
  ]);
  await clock.advance(250_000);
  expect(await staying()).toEqual(["ordinary", "steadfast"]);
  await expect
    .poll(async () => {
      await clock.advance(5_000);
      return staying();
    }, within)
    .toEqual(["steadfast"]);
});

test("evicts intolerant Pods from a node that registers with a NoExecute taint", async () => {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  const create = (name: string, nodeName: string, tolerations: object[]) =>
    expect
      .poll(async () => {
        await clock.advance(100);
        const spec = { nodeName, tolerations, containers: [{ name: "a", image: "a" }] } as never;
        return inNamespace.create({ metadata: { name, namespace }, spec }).then(() => "created", String);
      }, within)
      .toBe("created");
  const taints = [{ key: "maintenance", effect: "NoExecute" }];
  await cluster.client.resource(nodes).create({ metadata: { name: "there" }, spec: { taints } });
  await create("ordinary", "arriving", []);
  await create("steadfast", "arriving", [{ operator: "Exists" }]);
  await create("marker", "there", []);
  const marked = async () =>
    (await inNamespace.list()).items
      .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined)
      .map(({ metadata }) => metadata?.name);
  // Checked last, so the others on the missing node were checked before.
  await expect
    .poll(async () => {
      await clock.advance(100);
      return marked();
    }, within)
    .toEqual(["marker"]);
  await cluster.client.resource(nodes).create({ metadata: { name: "arriving" }, spec: { taints } });
  await expect
    .poll(async () => {
      await clock.advance(100);
      return marked();
    }, within)
    .toEqual(["marker", "ordinary"]);
  expect((await inNamespace.get("ordinary")).status?.conditions).toMatchObject([
    { type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager" },
  ]);
});

/**
 * Blocks changes of the taints that the node "arriving" registers with. A change would trigger another check
 * of its Pods.
 */
function leaveArrivingAlone(transport: Transport): Transport {
  return {
    ...transport,
    async request(request) {
      if (request.method === "PATCH" && request.path === "/api/v1/nodes/arriving")
        throw new Error("left alone");
      return transport.request(request);
    },
  };
}
