import { namespaces, pods } from "@operator-path/client";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { announcePool, poolOf, startInPool } from "./pool-client.ts";
import { startTestCluster } from "./start-test-cluster.ts";
import { setup, teardown } from "./vitest.ts";

afterEach(() => announcePool(process.env, undefined));

test("clusters of a test run share one process, are separate, and end with it", async () => {
  await setup();
  const pool = poolOf(process.env);
  const [one, other] = [await startTestCluster(), await startTestCluster({ controllers: true })];
  onTestFinished(() => one.client.close());
  const own = await one.namespace();
  const { items } = await other.client.resource(namespaces).list();
  expect(items.map(({ metadata }) => metadata?.name)).not.toContain(own);
  expect((await other.client.resource(pods).list()).items).toEqual([]);
  await other.stop();
  await expect(other.client.resource(namespaces).list()).rejects.toThrow();
  await teardown();
  await expect(one.client.resource(namespaces).list()).rejects.toThrow(/ECONNREFUSED|hang up|ECONNRESET/);
  expect(pool && (await fetch(pool.url).catch(() => "unreachable"))).toBe("unreachable");
});

test("a pool rejects requests without its token", async () => {
  await setup();
  onTestFinished(teardown);
  const pool = poolOf(process.env);
  if (!pool) throw new Error("no pool was announced");
  await expect(startInPool({ ...pool, token: "x" }, { controllers: false })).rejects.toThrow(
    "the test run's clusters: no token of this test run",
  );
});
