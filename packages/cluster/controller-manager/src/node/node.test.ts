import { nodes, pods } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
const clock = createFakeClock(Date.now());

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({ clock });
});
afterAll(() => cluster.stop());

test("a node is tainted by what it reports, and other taints are left alone", async () => {
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
    .toEqual(["dedicated:NoSchedule", "node.kubernetes.io/not-ready:NoSchedule"]);
  await report("Unknown");
  await expect
    .poll(taints, within)
    .toEqual(["dedicated:NoSchedule", "node.kubernetes.io/unreachable:NoSchedule"]);
  await report("True");
  await expect.poll(taints, within).toEqual(["dedicated:NoSchedule"]);
  await all.patch("tainted", { spec: { unschedulable: true } }, { type: "merge" });
  await expect
    .poll(taints, within)
    .toEqual(["dedicated:NoSchedule", "node.kubernetes.io/unschedulable:NoSchedule"]);
  await all.delete("tainted");
});

test("Pods of a node that has gone are given up after a while, and kept when it comes back in time", async () => {
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
