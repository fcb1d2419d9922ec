import { configMaps } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { mergeFrom } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDriftCluster } from "./testing/drift-bench.ts";

let running: Awaited<ReturnType<typeof startDriftCluster>>;
beforeAll(async () => {
  running = await startDriftCluster();
});
afterAll(async () => running?.stop());

const manifest = `
{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a: "1", b: "1" } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: b }, data: { a: "1" } }
`;

async function start() {
  const bench = await running.bench();
  const clock = createFakeClock();
  const drift = bench.restarted(undefined, clock);
  const repair = (text = manifest) => bench.repair(text, undefined, drift);
  const key = (name: string) => ({ namespace: bench.namespace, name });
  const set = async (name: string, data: Record<string, string>) => {
    const live = await bench.client.get(configMaps, key(name));
    await bench.client.patch({ ...live, data: { ...live.data, ...data } }, mergeFrom(live), {
      fieldManager: "tuner",
    });
  };
  await repair();
  bench.requests();
  const reconsiderAfter = () => drift.reconsiderAfter({ name: "cache", namespace: bench.namespace });
  return { bench, clock, repair, key, set, reconsiderAfter };
}

test("pauses before it recreates an object that is deleted after each repair, and repairs others at once", async () => {
  const { bench, clock, repair, key, set, reconsiderAfter } = await start();
  const remove = async () => bench.client.delete(await bench.client.get(configMaps, key("a")));
  // It was created once before, by the first repair.
  await remove();
  expect(await repair()).toMatchObject([{ action: "created" }]);
  await remove();
  bench.requests();
  expect(await repair()).toMatchObject([{ action: "contested", fields: [], others: [], pause: 1_000 }]);
  expect([bench.writes(), reconsiderAfter()]).toEqual([[], 1_000]);

  await set("b", { a: "2" });
  expect(await repair()).toMatchObject([{ action: "patched", object: { name: "b" } }]);
  expect(reconsiderAfter()).toBe(1_000);
  await clock.advance(1_000);
  expect(await repair()).toMatchObject([{ action: "created" }]);
  expect(reconsiderAfter()).toBeUndefined();
});

test("pauses for a contested field, but not for another wanted value, nor when the other writer stops", async () => {
  const { bench, clock, repair, set, reconsiderAfter } = await start();
  for (let round = 0; round < 2; round++) {
    await set("a", { a: "2" });
    expect(await repair()).toMatchObject([{ action: "patched", fields: ["data.a"] }]);
  }
  await set("a", { a: "2" });
  expect(await repair()).toMatchObject([
    { action: "contested", fields: ["data.a"], others: ["tuner"], pause: 1_000 },
  ]);
  bench.requests();
  expect([await repair(), bench.writes()]).toEqual([[], []]);
  // An uncontested field is reset at once, and the rest with it.
  await set("a", { b: "2" });
  expect(await repair()).toMatchObject([{ action: "patched", fields: ["data.a", "data.b"] }]);
  await set("a", { a: "2" });
  expect(await repair()).toMatchObject([{ action: "contested", pause: 2_000 }]);
  const other = manifest.replace('a: "1", b', 'a: "3", b');
  expect(await repair(other)).toMatchObject([{ action: "patched", fields: ["data.a"] }]);

  await set("a", { a: "2" });
  expect([await repair(), reconsiderAfter()]).toEqual([[], 2_000]);
  await set("a", { a: "1" });
  expect([await repair(), reconsiderAfter()]).toEqual([[], undefined]);
  await clock.advance(30_001);
  await set("a", { a: "2" });
  expect(await repair()).toMatchObject([{ action: "patched", fields: ["data.a"] }]);
});
