// Two kinds whose charts have one name, and two objects of one name: they cannot share a release.
import { customResourceDefinitions, defineResource } from "@operator-path/client";
import { expect, test } from "vitest";
import { HelmError } from "../helm/helm-error.ts";
import {
  conditionsOf,
  type HelmBench,
  longTimeout,
  messageOf,
  namespace,
  patiently,
  startHelmBench,
  type Web,
  webDefinition,
} from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

const proxies = defineResource<Web>({
  ...{ group: "example.com", version: "v1", kind: "Proxy", plural: "proxies", namespaced: true },
});

async function startBoth(bench: HelmBench) {
  await bench.cluster.client.resource(customResourceDefinitions).create({
    ...webDefinition,
    metadata: { name: "proxies.example.com" },
    spec: { ...webDefinition.spec, names: { plural: "proxies", kind: "Proxy" } },
  });
  const api = bench.cluster.client.resource(proxies).namespace(namespace);
  await patiently(() => api.list());
  return api;
}

const settled = (bench: HelmBench) =>
  patiently(async () => {
    const conditions = conditionsOf(await bench.get("shop"));
    expect(conditions).toEqual(expect.arrayContaining(["Deployed=True", "Irreconcilable=False"]));
    expect((await bench.deployment("shop")).metadata?.ownerReferences).toMatchObject([{ kind: "Web" }]);
  });

test.each([
  ["that was installed", async () => {}],
  [
    "that was rolled back",
    async (bench: HelmBench) => {
      await bench.change("shop", { broken: true });
      await patiently(async () => expect((await bench.events("shop")).join()).toContain("RolledBack"));
      await bench.change("shop", { broken: false });
      await settled(bench);
    },
  ],
  ["of plain helm that was adopted", undefined],
])(
  "does not touch another kind's release %s",
  async (_, before) => {
    const bench = await startHelmBench();
    const api = await startBoth(bench);
    if (!before) await bench.byHand("install", "shop", await writeChart(webChart));
    const first = await bench.operator();
    await bench.create("shop");
    await settled(bench);
    await before?.(bench);
    const history = await bench.history("shop");
    const { uid, generation } = (await bench.deployment("shop")).metadata ?? {};
    const done = first.processes.length;

    const second = await bench.operator({ resource: proxies });
    await api.create({ metadata: { name: "shop" }, spec: { replicas: 5, colour: "blue" } });
    await patiently(async () =>
      expect(messageOf(await api.get("shop"), "Irreconcilable")).toBe(
        "the release shop in the namespace default belongs to the Web.example.com shop: rename one of the two objects, or delete that one first",
      ),
    );
    await api.delete("shop");
    await patiently(() => expect(api.get("shop")).rejects.toThrow("not found"));
    await api.create({ metadata: { name: "other" } });
    await patiently(async () => expect(conditionsOf(await api.get("other"))).toContain("Deployed=True"));
    expect(second.processes).toEqual(["version", "dry run", "install"]);
    expect(await bench.history("shop")).toEqual(history);
    expect((await bench.deployment("shop")).metadata).toMatchObject({ uid, generation });
    expect(first.processes.length).toBe(done);

    // After the first object is deleted, the name is free.
    await bench.remove("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    await api.create({ metadata: { name: "shop" }, spec: { replicas: 5 } });
    await patiently(async () => expect((await bench.deployment("shop")).spec?.replicas).toBe(5));
  },
  longTimeout,
);

test(
  "upgrades a release that was installed manually at the same moment, and does not uninstall it",
  async () => {
    const bench = await startHelmBench();
    const chart = await writeChart(webChart);
    let installs = 0;
    const { processes } = await bench.operator({
      around: (helm) => ({
        ...helm,
        async install(...args) {
          if (installs++ === 0) await bench.byHand("install", "shop", chart, "--set", "replicas=3");
          return helm.install(...args);
        },
      }),
    });
    await bench.create("shop", { replicas: 2 });
    await patiently(async () => expect((await bench.deployment("shop")).spec?.replicas).toBe(2));
    await settled(bench);
    expect(processes.filter((operation) => operation === "uninstall")).toEqual([]);
    expect((await bench.history("shop")).map(({ revision }) => revision)).toEqual([2, 1]);
  },
  longTimeout,
);

test(
  "keeps a release that was installed manually while its own install failed",
  async () => {
    const bench = await startHelmBench();
    const chart = await writeChart(webChart);
    const { processes } = await bench.operator({
      retryDelays: { base: 86_400_000, max: 86_400_000 },
      around: (helm) => ({
        ...helm,
        async install() {
          await bench.byHand("install", "shop", chart, "--set", "replicas=3");
          throw new HelmError({ operation: "install", exitCode: 1, stderr: "Error: the server is too busy" });
        },
      }),
    });
    await bench.create("shop", { replicas: 2 });
    // The next reconcile adopts it, as any release of plain helm.
    await patiently(async () => expect((await bench.deployment("shop")).spec?.replicas).toBe(2));
    await settled(bench);
    expect(processes.filter((operation) => operation === "uninstall")).toEqual([]);
    expect((await bench.history("shop")).map(({ revision }) => revision)).toEqual([2, 1]);
  },
  longTimeout,
);
