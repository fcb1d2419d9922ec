import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, configMaps } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { Cache, caches, newCache, setupCaches } from "./zod.ts";
import { writeDefinitions } from "./zod-crds.ts";

const folder = mkdtempSync(join(tmpdir(), "zod-recipe-"));
writeDefinitions(folder);
const cluster = await startTestCluster({ crds: [join(folder, "config/crd/bases")] });
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});
const api = cluster.client.resource(caches).namespace("default");

test("the reconciler works with the defaults that the server has filled in", async () => {
  const logger = createLogger({ level: "silent" });
  const manager = createManager(cluster.kubeConfig, { scheme: createScheme(caches), logger });
  setupCaches(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);

  const object = { apiVersion: "cache.example.com/v1", kind: "Cache", metadata: { name: "shop" } };
  await api.patch("shop", { ...object, spec: { maximum: 5 } }, { type: "apply", fieldManager: "test" });
  await eventually(async () => expect((await api.get("shop")).status).toEqual({ configMap: "shop" }));
  const { data } = await cluster.client.resource(configMaps).namespace("default").get("shop");
  expect(data).toEqual({ pods: "1-5" });

  stop.abort();
  await running;
});

test("the server and zod reject the same fields", async () => {
  const spec = { minimum: 0, maximum: 10, settings: { policy: 1 } };
  const refusal = await api
    .create({ metadata: { name: "bad" }, spec } as never)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  const causes = (refusal as ApiError).status.details?.causes ?? [];
  const byServer = causes.map(({ field }) => field).filter((field) => field !== "<nil>");
  const byZod = Cache.safeParse({ spec }).error?.issues.map(({ path }) => path.join("."));
  expect(byServer.sort()).toEqual(byZod?.sort());
  expect(byServer).toEqual(["spec.maximum", "spec.minimum", "spec.settings.policy"]);
});

test("the server checks the rule between two fields", async () => {
  await expect(api.create(newCache("bad", { minimum: 4 }))).rejects.toThrow(
    "minimum is greater than maximum",
  );
  const created = await api.create(newCache("good", { minimum: 2, settings: { policy: "lru" } }));
  expect(created.spec).toEqual({ minimum: 2, maximum: 3, settings: { policy: "lru" } });
});
