import { apiVersionOf, customResourceDefinitions, defineResource, deployments } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { createObjectClient, mergeFrom } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createDrift } from "./create-drift.ts";
import { parseManifest } from "./parse-manifest.ts";
import { definitionOf, providerOfTests, startDriftCluster } from "./testing/drift-bench.ts";

const deployment = (app: string, more = "") => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${app} } }
  template:
    metadata: { labels: { app: ${app} } }
    spec: { containers: [{ name: web, image: nginx${more} }] }
`;

describe.each([await providerOfTests()])("on the %s API server", (provider) => {
  let running: Awaited<ReturnType<typeof startDriftCluster>>;
  beforeAll(async () => {
    running = await startDriftCluster(provider);
  });
  afterAll(async () => running?.stop());

  test("reports what cannot be changed, and retries after a change or ten minutes", async () => {
    const bench = await running.bench();
    const clock = createFakeClock();
    const { connection } = running;
    const { mapper } = bench;
    const client = createObjectClient(connection, { scheme: mapper.scheme });
    const drift = createDrift({ client, connection, mapper, clock });
    await bench.repair(deployment("one"), undefined, drift);
    bench.requests();

    const [failed] = await bench.repair(deployment("two"), undefined, drift);
    expect(failed).toMatchObject({ action: "failed", retry: false, object: { kind: "Deployment" } });
    expect(failed?.error?.message).toContain("field is immutable");
    expect(bench.writes()).not.toEqual([]);

    expect(await bench.repair(deployment("two"), undefined, drift)).toEqual([failed]);
    expect(bench.requests()).toEqual([expect.stringMatching(/^GET /)]);

    await clock.advance(600_001);
    expect(await bench.repair(deployment("two"), undefined, drift)).toMatchObject([{ action: "failed" }]);
    expect(bench.writes()).not.toEqual([]);

    expect(await bench.repair(deployment("one"), undefined, drift)).toEqual([]);
    const live = await bench.client.get(deployments, { namespace: bench.namespace, name: "web" });
    const changed = { ...live, spec: { ...live.spec, replicas: 4 } } as typeof live;
    await bench.client.patch(changed, mergeFrom(live), { fieldManager: "other" });
    bench.requests();
    expect(await bench.repair(deployment("two"), undefined, drift)).toMatchObject([{ action: "failed" }]);
    expect(bench.writes()).not.toEqual([]);
  });

  test("repairs the other objects when one fails", async () => {
    const bench = await running.bench();
    const manifest = `${deployment("one", ", ports: [{ containerPort: 99999 }]")}---\n{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }`;
    const repairs = await bench.repair(manifest);
    expect(repairs).toMatchObject([
      { action: "failed", retry: false },
      { action: "created", object: { kind: "ConfigMap" } },
    ]);
    expect(repairs[0]?.error?.message).toContain("must be between 1 and 65535");
    bench.requests();
    expect(await bench.repair(manifest)).toMatchObject([{ action: "failed", retry: false }]);
    expect(bench.writes()).toEqual([]);
  });

  test("sends a field that the server does not store only once", async () => {
    const bench = await running.bench();
    const manifest = deployment("one", ", tty: false, imagePullPolicie: Always").replace(
      "spec:\n  replicas",
      "spec:\n  paused: false\n  replicas",
    );
    await bench.repair(manifest);
    bench.requests();
    expect(await bench.repair(manifest)).toEqual([]);
    expect(bench.writes()).toEqual([]);
    const restarted = bench.restarted();
    expect(await bench.repair(manifest, undefined, restarted)).toEqual([]);
    bench.requests();
    expect(await bench.repair(manifest, undefined, restarted)).toEqual([]);
    expect(bench.writes()).toEqual([]);
  });

  test("repairs an object with a duplicate variable, which server-side apply rejects", async () => {
    const bench = await running.bench();
    const env = ", env: [{ name: A, value: '1' }, { name: A, value: '2' }]";
    const key = { namespace: bench.namespace, name: "web" };
    expect(await bench.repair(deployment("one", env))).toMatchObject([{ action: "created" }]);
    const live = await bench.client.get(deployments, key);
    const changed = { ...live, spec: { ...live.spec, replicas: 4 } } as typeof live;
    await bench.client.patch(changed, mergeFrom(live), { fieldManager: "other" });
    expect(await bench.repair(deployment("one", env))).toMatchObject([
      { action: "patched", fields: ["spec.replicas"] },
    ]);
    const { spec } = await bench.client.get(deployments, key);
    expect(spec?.template.spec?.containers[0]?.env?.map(({ value }) => value)).toEqual(["1", "2"]);
  });

  test("retries a kind until the server serves it", async () => {
    const widgets = defineResource({
      ...{ group: "later.example.com", version: "v1", kind: "Widget", plural: "widgets", namespaced: true },
    });
    const bench = await running.bench();
    const manifest = `{ apiVersion: ${apiVersionOf(widgets)}, kind: Widget, metadata: { name: a }, spec: { size: 1 } }`;
    const failed = { action: "failed", retry: true, object: { kind: "Widget", name: "a" } };
    const repairs = await bench.repair(manifest);
    expect(repairs).toMatchObject([failed]);
    expect(repairs[0]?.error?.message).toBe(
      'no matches for kind "Widget" in version "later.example.com/v1": is its CustomResourceDefinition installed?',
    );
    expect(bench.writes()).toEqual([]);
    await bench.client.create(definitionOf(widgets));
    const created = [{ action: "created", object: { kind: "Widget" } }];
    await vi.waitFor(async () => expect(await bench.repair(manifest)).toMatchObject(created));
    const definition = await bench.client.get(customResourceDefinitions, {
      name: "widgets.later.example.com",
    });
    await bench.client.delete(definition);
    await vi.waitFor(async () => expect(await bench.repair(manifest)).toMatchObject([failed]));
  });

  test("an aborted repair stops before its next object", async () => {
    const bench = await running.bench();
    const objects = parseManifest(deployment("one"));
    const release = { name: "cache", namespace: bench.namespace };
    const signal = AbortSignal.abort(new Error("leadership lost"));
    const repair = bench.drift.repair({ objects, owner: bench.owner, release, signal });
    await expect(repair).rejects.toThrow("leadership lost");
    expect(bench.requests()).toEqual([]);
  });

  test("retries while a namespace is missing", async () => {
    const bench = await running.bench();
    const manifest = "{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: nowhere } }";
    expect(await bench.repair(manifest)).toMatchObject([{ action: "failed", retry: true }]);
  });
});
