import { createClientOn, defineResource, type KubeObject } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import { createSimulatedServer } from "./simulated-server.ts";

interface Thing extends KubeObject {
  spec?: { size?: number };
  status?: { size?: number };
}
const things = defineResource<Thing>({
  ...{ group: "proof.example.com", version: "v1", kind: "Thing", plural: "things" },
  namespaced: true,
});

function start() {
  const clock = createFakeClock();
  const server = createSimulatedServer({
    ...{ clock, random: createRandom(1), resources: [{ resource: things }] },
    lifecycle: { collectAfter: 1_000 },
  });
  return { clock, server, api: createClientOn(server).resource(things).namespace("shop") };
}

test("an object with finalizers stays until the last one is removed, and accepts no new ones", async () => {
  const { api, server } = start();
  await api.create({ metadata: { name: "a", finalizers: ["x/one", "x/two"] } });
  await api.delete("a");
  const { metadata } = await api.get("a");
  expect(metadata).toMatchObject({ deletionTimestamp: expect.any(String), generation: 2 });
  const finalizers = (list: string[]) =>
    api.patch("a", { metadata: { finalizers: list } }, { type: "merge" });
  await expect(finalizers(["x/one", "x/two", "x/three"])).rejects.toMatchObject({ code: 422 });
  await finalizers(["x/two"]);
  expect(server.truth(things)).toHaveLength(1);
  const last = await finalizers([]);
  expect(last.metadata?.finalizers).toBeUndefined();
  expect(server.truth(things)).toHaveLength(0);
});

test("counts spec changes as generations, separates the status, and makes no version without a change", async () => {
  const { api } = start();
  const made = await api.create({ metadata: { name: "a" }, spec: { size: 1 }, status: { size: 9 } });
  expect([made.metadata?.generation, made.status]).toEqual([1, undefined]);
  const reported = await api.updateStatus({ ...made, spec: { size: 5 }, status: { size: 1 } });
  expect([reported.metadata?.generation, reported.spec, reported.status]).toEqual([
    1,
    { size: 1 },
    { size: 1 },
  ]);
  const same = await api.patch("a", { spec: { size: 1 }, status: { size: 7 } }, { type: "merge" });
  expect(same).toEqual(reported);
  const scaled = await api.patch("a", { spec: { size: 2 } }, { type: "merge" });
  expect([scaled.metadata?.generation, scaled.status]).toEqual([2, { size: 1 }]);
  const labelled = await api.patch("a", { metadata: { labels: { a: "b" } } }, { type: "merge" });
  expect(labelled.metadata?.generation).toBe(2);
});

test("deletes objects whose owners are deleted, and keeps those with owners of an unknown kind", async () => {
  const { api, clock, server } = start();
  const { metadata } = await api.create({ metadata: { name: "owner" } });
  const owner = {
    apiVersion: "proof.example.com/v1",
    kind: "Thing",
    name: "owner",
    uid: metadata?.uid ?? "",
  };
  await api.create({ metadata: { name: "owned", ownerReferences: [owner] } });
  await api.create({ metadata: { name: "other", ownerReferences: [{ ...owner, kind: "Other", uid: "x" }] } });
  await clock.advance(2_000);
  expect(server.truth(things)).toHaveLength(3);
  await api.delete("owner");
  expect(server.truth(things)).toHaveLength(2);
  await clock.advance(2_000);
  expect(server.truth(things).map((each) => each.metadata?.name)).toEqual(["other"]);
  expect(clock.pending()).toBe(0);
});
