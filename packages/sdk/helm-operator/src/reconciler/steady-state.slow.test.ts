import { configMaps, createTransport } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager } from "@operator-path/controller-runtime";
import { createRequestRecorder } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { addHelmController } from "./add-helm-controller.ts";
import { longTimeout, namespace, patiently, webDefinition, webs } from "./testing/bench.ts";
import { createHelmInMemory } from "./testing/helm-in-memory.ts";

const period = 4 * 3_600_000;
const names = Array.from({ length: 100 }, (_, index) => `web-${index}`);

test(
  "a hundred unchanged releases cost no helm and no write in a day of periodic reconciles",
  async () => {
    const clock = createFakeClock();
    const cluster = await startTestCluster({ crds: [webDefinition] });
    onTestFinished(() => cluster.stop());
    const recorder = createRequestRecorder(createTransport(cluster.kubeConfig));
    const reconciles: string[] = [];
    const manager = createManager(cluster.kubeConfig, {
      ...{ clock, transport: recorder.transport },
      logger: createLogger({ level: "error" }),
    });
    const helm = createHelmInMemory(cluster.client, clock.now);
    addHelmController(manager, {
      ...{ resource: webs, helm, reconcilePeriod: period, maxConcurrentReconciles: 8 },
      chart: { path: "/charts/web", name: "web", version: "0.1.0", digest: "0", values: {}, crds: false },
      postHooks: [(object) => void reconciles.push(object.metadata?.name ?? "")],
    });
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
    const api = cluster.client.resource(webs).namespace(namespace);
    for (const name of names) await api.create({ metadata: { name }, spec: { colour: name } });

    const writes = () =>
      recorder.requests.filter(({ verb }) => !["get", "list", "watch"].includes(verb)).length;
    // Settled: every object has an owner, and every status is written.
    await patiently(async () => {
      const { items } = await api.list();
      expect(items.filter(({ status }) => status?.deployedRelease)).toHaveLength(100);
      const owned = await cluster.client.resource(configMaps).namespace(namespace).list();
      expect(owned.items.filter(({ metadata }) => metadata?.ownerReferences)).toHaveLength(100);
    });
    // Some objects may still be reconciled for the last write, and then once more.
    const settled = reconciles.length;
    await clock.advance(period);
    await patiently(() => expect(new Set(reconciles.slice(settled)).size).toBe(100));
    expect(helm.calls.toSorted()).toEqual([...names.map(() => "dry run"), ...names.map(() => "install")]);

    const [calls, written, looked] = [helm.calls.length, writes(), reconciles.length];
    for (let passed = 1; passed <= 6; passed++) {
      await clock.advance(period);
      await patiently(() => expect(reconciles.length).toBeGreaterThanOrEqual(looked + 100 * passed));
    }
    expect(helm.calls.length).toBe(calls);
    expect(writes()).toBe(written);
  },
  longTimeout,
);
