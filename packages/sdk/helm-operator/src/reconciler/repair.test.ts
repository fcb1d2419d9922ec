import { configMaps } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager } from "@operator-path/controller-runtime";
import { expect, onTestFinished, test } from "vitest";
import { addHelmController } from "./add-helm-controller.ts";
import { ample, conditionsOf, namespace, patiently, webDefinition, webs } from "./testing/bench.ts";
import { createHelmInMemory } from "./testing/helm-in-memory.ts";

test(
  "what could not be repaired is looked at again after ten minutes, though nothing has happened",
  async () => {
    const clock = createFakeClock();
    const cluster = await startTestCluster({ crds: [webDefinition] });
    onTestFinished(() => cluster.stop());
    const manager = createManager(cluster.kubeConfig, { clock, logger: createLogger({ level: "error" }) });
    const helm = createHelmInMemory(cluster.client, clock.now);
    addHelmController(manager, {
      // Nothing but time leads to another look.
      ...{ resource: webs, helm, watchDependentResources: false },
      chart: { path: "/charts/web", name: "web", version: "0.1.0", digest: "0", values: {}, crds: false },
    });
    const maps = cluster.client.resource(configMaps).namespace(namespace);
    const annotated = (release: string) =>
      maps.patch(
        "shop",
        { metadata: { annotations: { "meta.helm.sh/release-name": release } } },
        { type: "merge" },
      );
    const install = helm.install;
    helm.install = async (...args) => {
      await install(...args);
      await annotated("other");
    };
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
    const api = cluster.client.resource(webs).namespace(namespace);
    await api.create({ metadata: { name: "shop" }, spec: { colour: "red" } });
    await patiently(async () => expect(conditionsOf(await api.get("shop"))).toContain("Irreconcilable=True"));
    expect((await maps.get("shop")).metadata?.ownerReferences).toBeUndefined();

    await annotated("shop");
    let minutes = 0;
    await patiently(async () => {
      // Not so far that the cache itself would look again (after ten hours).
      if (minutes < 120) await clock.advance(600_000);
      minutes += 10;
      expect((await maps.get("shop")).metadata?.ownerReferences).toHaveLength(1);
    });
    await patiently(async () =>
      expect(conditionsOf(await api.get("shop"))).toContain("Irreconcilable=False"),
    );
  },
  ample,
);
