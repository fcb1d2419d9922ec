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

/** Returns the options of the releases, with Events and metrics in memory. */
function start() {
  const said: string[] = [];
  const metrics = new Registry();
  const manager = {
    client: createFakeClient({
      objects: [
        { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { team: "checkout" } } },
      ],
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

test("the values get the namespace's team, and at most five replicas", async () => {
  const { options } = start();
  expect(await options.valueTranslator?.(memcached)).toEqual({ podLabels: { team: "checkout" } });
  expect(options.valueMapper?.({ replicaCount: 9 })).toEqual({ replicaCount: 5 });
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

const manifest = (name: string) => `---
# Source: memcached/templates/serviceaccount.yaml
apiVersion: v1
kind: ServiceAccount
metadata:
  name: of-${name}
---
# Source: memcached/templates/service.yaml
apiVersion: v1
kind: Service
metadata:
  name: ${name}
`;

test("an install is announced with the address of the release's Service, and no other operation is", async () => {
  const { said, options } = start();
  const release = { name: "sample", namespace: "shop", manifest: manifest("sample-memcached") };
  const after = async (operation: string, about: object | undefined = release) => {
    const context = {
      operation,
      log: createLogger({ level: "silent" }),
      signal: new AbortController().signal,
    };
    for (const hook of options.postHooks ?? [])
      await hook(memcached, about as Parameters<PostHook>[1], context as Parameters<PostHook>[2]);
  };
  await after("upgrade");
  await after("reconcile");
  await after("uninstall", undefined);
  expect(said).toEqual([]);
  await after("install");
  expect(said).toEqual(["Normal Address sample-memcached.shop.svc"]);
});
