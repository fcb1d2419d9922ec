import { createFaultyTransport, createRandom } from "@operator-path/faults";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { memcached, memcacheds } from "../controller/testing/memcached.ts";
import { createMemoryCluster } from "../controller/testing/memory-cluster.ts";
import { cacheCheck } from "./cache-check.ts";

test("is not ready before the first list and after a long silence of the server", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  server.writes(memcacheds).create({ ...memcached("a") });
  const faulty = createFaultyTransport(server, { clock, random: createRandom(1) });
  const transport = { ...faulty, close: async () => {} };
  const { manager, run } = create({ transport });
  newControllerManagedBy(manager)
    .for(memcacheds)
    .complete(() => {});
  const check = cacheCheck(manager.cache);
  faulty.arm("any", { kind: "status", code: 503 }, 1_000_000);
  run();
  await clock.advance(10_000);
  expect(check).toThrow(/^the cache is stale: memcacheds: not synced \(.+\)$/);
  faulty.heal();
  await clock.advance(60_000);
  expect(check()).toBeUndefined();
  await clock.advance(600_000);
  expect(check()).toBeUndefined();
  faulty.arm("any", { kind: "refused" }, 1_000_000);
  faulty.breakStreams({ how: "reset" });
  await clock.advance(150_000);
  expect(check()).toBeUndefined();
  await clock.advance(120_000);
  expect(check).toThrow(/^the cache is stale: memcacheds: silent for [23]\d\d s \(/);
});
