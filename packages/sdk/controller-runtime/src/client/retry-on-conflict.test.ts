import { type ConfigMap, configMaps, isConflict } from "@operator-path/client";
import { expect, test } from "vitest";
import { startCachedClient } from "../cache/testing/cached-client.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

const key = { namespace: "a", name: "counter" };

test("concurrent increments all succeed", async () => {
  const { client, direct, start } = await startCachedClient();
  start();
  const counter: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...key },
    data: { count: "0" },
  };
  await client.create(counter);
  const increment = async () => {
    const current = await client.get(configMaps, key);
    await client.update({ ...current, data: { count: String(Number(current.data?.count) + 1) } });
  };
  // In each round at least one succeeds.
  await Promise.all(Array.from({ length: 4 }, () => retryOnConflict(increment, { attempts: 20, delay: 1 })));
  expect((await direct.get(configMaps, key)).data).toEqual({ count: "4" });

  const stale = await direct.get(configMaps, key);
  await direct.update({ ...stale, data: { count: "5" } });
  let attempts = 0;
  const again = retryOnConflict(
    () => {
      attempts++;
      return client.update({ ...stale, data: {} });
    },
    { delay: 1 },
  );
  await expect(again).rejects.toSatisfy(isConflict);
  expect(attempts).toBe(5);
  await expect(retryOnConflict(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
