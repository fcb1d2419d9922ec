import type { KubeObject } from "@operator-path/client";
import { createLogger, type Manager, Registry } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import type { PostHook } from "@operator-path/helm-operator";
import { expect, test } from "vitest";
import { memcachedReleases } from "./memcached.releases.ts";

const memcached: KubeObject = {
  apiVersion: "cache.my.domain/v1alpha1",
  kind: "Memcached",
  metadata: { namespace: "shop", name: "sample" },
};

/** The releases' options, with Events and metrics in memory. */
function start() {
  const said: string[] = [];
  const metrics = new Registry();
  const manager = {
    client: createFakeClient({
      objects: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { team: "checkout" } } }],
    }),
    metrics,
    log: createLogger({ level: "silent" }),
    eventRecorderFor: () => ({
      event: (_: KubeObject, type: string, reason: string, message: string) =>
        void said.push(`${type} ${reason} ${message}`),
      flush: async () => void said.push("flushed"),
    }),
  };
  return { said, metrics, options: memcachedReleases(manager as unknown as Manager) };
}

test("the values have the team of the namespace", async () => {
  const { options } = start();
  expect(await options.valueTranslator?.(memcached)).toEqual({ podLabels: { team: "checkout" } });
});

test("repairs are counted by namespace, and every Event is written", async () => {
  const { said, metrics, options } = start();
  const { eventRecorder } = options;
  eventRecorder?.event(memcached, "Normal", "Installed", "a release");
  eventRecorder?.event(memcached, "Warning", "DriftRepaired", "a Service");
  eventRecorder?.event(memcached, "Warning", "DriftRepaired", "a Deployment");
  await eventRecorder?.flush();
  expect(said).toEqual([
    "Normal Installed a release",
    "Warning DriftRepaired a Service",
    "Warning DriftRepaired a Deployment",
    "flushed",
  ]);
  const { values } = (await metrics.getSingleMetric("memcached_repairs_total")?.get()) ?? { values: [] };
  expect(values).toMatchObject([{ value: 2, labels: { namespace: "shop" } }]);
});

test("an installed release is announced with its address, and no other operation is", async () => {
  const { said, options } = start();
  const [announce] = options.postHooks ?? [];
  const release = { name: "sample", namespace: "shop" } as Parameters<PostHook>[1];
  const after = (operation: string) => ({ operation }) as Parameters<PostHook>[2];
  await announce?.(memcached, release, after("upgrade"));
  await announce?.(memcached, undefined, after("install"));
  expect(said).toEqual([]);
  await announce?.(memcached, release, after("install"));
  expect(said).toEqual(["Normal Address sample.shop.svc"]);
});
