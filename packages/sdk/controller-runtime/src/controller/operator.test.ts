import { defineResource, deployments } from "@operator-path/client";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { ReconcileCause } from "../reconcile/reconcile-cause.ts";
import { memcached, memcacheds } from "./testing/memcached.ts";
import { createMemoryCluster, reconcileMemcached } from "./testing/memory-cluster.ts";

/** An operator with a record of its reconciles. */
function start(cluster: ReturnType<typeof createMemoryCluster>) {
  const operator = cluster.manager();
  const calls: { name: string; cause: ReconcileCause }[] = [];
  const reconcile = reconcileMemcached(operator.manager);
  newControllerManagedBy(operator.manager)
    .for(memcacheds)
    .owns(deployments)
    .complete((request, context) => {
      calls.push({ name: request.name, cause: context.cause });
      context.log.info("looking at it");
      return reconcile(request, context);
    });
  return { ...operator, calls, ...operator.run() };
}

test("settles with the necessary writes, then writes nothing for ten hours", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  for (let i = 0; i < 20; i++) server.writes(memcacheds).create({ ...memcached(`m${i}`, 2) });
  const { calls, writes, lines } = start(cluster);
  await clock.advance(60_000);
  expect(server.truth(deployments)).toHaveLength(20);
  expect(writes.toSorted()).toEqual([
    ...Array(20).fill("POST deployments"),
    ...Array(20).fill("PUT memcacheds"),
  ]);
  const settled = calls.length;
  await clock.advance(5 * 3_600_000);
  expect(calls.length).toBe(settled);
  await clock.advance(6 * 3_600_000);
  // A resync reconciled every object again, for each of the two watches (or both at once), without a change.
  const again = calls.slice(settled).map(({ cause }) => cause);
  expect(new Set(again.map(({ trigger }) => trigger))).toEqual(new Set(["resync"]));
  expect(again.reduce((sum, { count }) => sum + count, 0)).toBe(40);
  expect(writes).toHaveLength(40);
  expect(lines("Reconciler error")).toEqual([]);

  server.writes(deployments).delete("default", "m7");
  await clock.advance(1_000);
  expect(writes.slice(40)).toEqual(["POST deployments"]);
});

test("each reconcile knows and logs its cause", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const created = server.writes(memcacheds).create({ ...memcached("sample", 1) });
  const { calls, lines } = start(cluster);
  await clock.advance(1_000);
  const version = created.metadata?.resourceVersion;
  expect(calls[0]).toMatchObject({
    name: "sample",
    cause: {
      ...{
        trigger: "initialList",
        resource: "Memcached",
        object: "default/sample",
        resourceVersion: version,
      },
      ...{ count: 1, queuedFor: 0, retries: 0 },
    },
  });
  calls.length = 0;
  const [deployment] = server.truth(deployments);
  const before = deployment?.metadata?.resourceVersion;
  const patched = server
    .writes(deployments)
    .mergePatch("default", "sample", { metadata: { labels: { x: "y" } } });
  await clock.advance(1_000);
  const cause = {
    ...{ trigger: "updated", resource: "Deployment", object: "default/sample" },
    ...{ oldResourceVersion: before, resourceVersion: patched.metadata?.resourceVersion },
    ...{ count: 1, queuedFor: 0, retries: 0 },
  };
  expect(calls).toEqual([{ name: "sample", cause }]);
  expect(lines("looking at it").at(-1)).toMatchObject({
    ...{ level: "info", logger: "controllers.Memcached", controller: "memcached" },
    ...{ controllerGroup: "cache.example.com", controllerKind: "Memcached" },
    ...{ Memcached: { namespace: "default", name: "sample" }, namespace: "default", name: "sample", cause },
  });
  calls.length = 0;
  server.writes(memcacheds).delete("default", "sample");
  await clock.advance(1_000);
  expect(calls[0]?.cause).toMatchObject({ trigger: "deleted", resource: "Memcached" });
});

test("handles changes before the backlog after a restart", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const name = (i: number) => `m${String(i).padStart(2, "0")}`;
  for (let i = 0; i < 30; i++) server.writes(memcacheds).create({ ...memcached(name(i)) });
  const { manager, run } = cluster.manager();
  const order: string[] = [];
  newControllerManagedBy(manager)
    .for(memcacheds)
    .complete(async ({ name }, { cause }) => {
      order.push(`${name} ${cause.trigger}`);
      await clock.sleep(100);
      if (name === "m03") throw new Error("not yet");
    });
  run();
  await clock.advance(450);
  server.writes(memcacheds).mergePatch("default", "m25", { spec: { size: 3 } });
  server.writes(memcacheds).create({ ...memcached("new") });
  await clock.advance(60_000);
  expect(order.slice(0, 8)).toEqual([
    ...["m00", "m01", "m02", "m03", "m04"].map((each) => `${each} initialList`),
    ...["m25 initialList", "new added", "m05 initialList"],
  ]);
  // Retries of the backlog stay behind the rest of it.
  expect(order.indexOf("m03 backoff")).toBeGreaterThan(order.indexOf("m29 initialList"));
});

test("fails with a clear error when the server does not have a kind", async () => {
  const unknown = defineResource({ ...memcacheds, kind: "Nginx", plural: "nginxes" });
  const { clock, manager: createOperator } = createMemoryCluster();
  const { manager, run } = createOperator();
  newControllerManagedBy(manager)
    .for(unknown)
    .complete(() => {});
  const { ended } = run();
  await clock.advance(121_000);
  await expect(ended).rejects.toThrow(
    "controller nginx: failed to wait for kind source: Nginx.cache.example.com to sync: the server could not find the requested resource (is the CustomResourceDefinition of Nginx installed?)",
  );
});
