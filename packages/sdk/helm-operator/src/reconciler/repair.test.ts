import { configMaps, createTransport, events } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager } from "@operator-path/controller-runtime";
import { createRequestRecorder } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { addHelmController } from "./add-helm-controller.ts";
import { conditionsOf, longTimeout, namespace, patiently, webDefinition, webs } from "./testing/bench.ts";
import { createHelmInMemory } from "./testing/helm-in-memory.ts";

test(
  "retries a failed repair after ten minutes, without any event",
  async () => {
    const clock = createFakeClock();
    const cluster = await startTestCluster({ crds: [webDefinition] });
    onTestFinished(() => cluster.stop());
    const manager = createManager(cluster.kubeConfig, { clock, logger: createLogger({ level: "error" }) });
    const helm = createHelmInMemory(cluster.client, clock.now);
    addHelmController(manager, {
      // Only time leads to another reconcile.
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
      // The cache itself would resync after ten hours.
      if (minutes < 120) await clock.advance(600_000);
      minutes += 10;
      expect((await maps.get("shop")).metadata?.ownerReferences).toHaveLength(1);
    });
    await patiently(async () =>
      expect(conditionsOf(await api.get("shop"))).toContain("Irreconcilable=False"),
    );
  },
  longTimeout,
);

test(
  "names another writer that sets a field again after each repair, and pauses",
  async () => {
    const clock = createFakeClock();
    const cluster = await startTestCluster({ crds: [webDefinition] });
    onTestFinished(() => cluster.stop());
    const recorder = createRequestRecorder(createTransport(cluster.kubeConfig));
    const manager = createManager(cluster.kubeConfig, {
      ...{ clock, transport: recorder.transport, logger: createLogger({ level: "error" }) },
    });
    const helm = createHelmInMemory(cluster.client, clock.now);
    addHelmController(manager, {
      ...{ resource: webs, helm },
      chart: { path: "/charts/web", name: "web", version: "0.1.0", digest: "0", values: {}, crds: false },
    });
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
    const maps = cluster.client.resource(configMaps).namespace(namespace);
    const theirs = () =>
      maps.patch("shop", { data: { values: "theirs" } }, { type: "merge", fieldManager: "tuner" });
    const values = async () => (await maps.get("shop")).data?.values;
    const ours = JSON.stringify({ colour: "red" });
    const contests = async () =>
      (await cluster.client.resource(events).namespace(namespace).list()).items
        .filter(({ reason }) => reason === "DriftContested")
        .map(({ message }) => message);
    const api = cluster.client.resource(webs).namespace(namespace);
    await api.create({ metadata: { name: "shop" }, spec: { colour: "red" } });
    await patiently(async () => expect((await maps.get("shop")).metadata?.ownerReferences).toHaveLength(1));

    for (let round = 0; round < 2; round++) {
      await theirs();
      await patiently(async () => expect(await values()).toBe(ours));
    }
    await theirs();
    const first =
      "ConfigMap default/shop: data.values is changed after each repair, by tuner: the next repair is in 1 s; only one of the two should manage it";
    await patiently(async () => expect(await contests()).toEqual([first]));
    expect(await values()).toBe("theirs");
    // Only time leads to the next repair.
    await patiently(async () => {
      await clock.advance(200);
      expect(await values()).toBe(ours);
    });
    await theirs();
    await patiently(async () =>
      expect(await contests()).toContainEqual(expect.stringContaining("the next repair is in 2 s")),
    );
    expect(await values()).toBe("theirs");

    // A change of the object's values does not wait.
    await api.patch("shop", { spec: { colour: "blue" } }, { type: "merge" });
    await patiently(async () => expect(await values()).toBe(JSON.stringify({ colour: "blue" })));
    const written = recorder.requests.filter(
      ({ verb, resource, name }) => verb === "patch" && resource === "configmaps" && name === "shop",
    );
    // The ownership and three repairs.
    expect(written.length).toBeLessThanOrEqual(4);
  },
  longTimeout,
);
