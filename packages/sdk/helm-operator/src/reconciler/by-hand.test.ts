import { expect, test } from "vitest";
import {
  conditionsOf,
  type HelmBench,
  longTimeout,
  namespace,
  patiently,
  startHelmBench,
} from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

async function deployed(bench: HelmBench, name: string): Promise<void> {
  await patiently(async () => expect(conditionsOf(await bench.get(name))).toContain("Deployed=True"));
}

const replicas = async (bench: HelmBench) => (await bench.deployment("shop")).spec?.replicas;

test(
  "adopts a release of plain helm unchanged, and helm shows it like any other",
  async () => {
    const bench = await startHelmBench();
    const chart = await writeChart(webChart);
    await bench.byHand("install", "shop", chart, "--set", "replicas=3");
    const { processes } = await bench.operator();
    await bench.create("shop", { replicas: 3 });
    await deployed(bench, "shop");
    await patiently(async () => {
      expect((await bench.deployment("shop")).metadata?.ownerReferences).toMatchObject([
        { kind: "Web", name: "shop" },
      ]);
    });
    expect(processes).toEqual(["version", "dry run"]);
    expect(await bench.history("shop")).toHaveLength(1);

    await bench.change("shop", { replicas: 4 });
    await patiently(async () => expect(await replicas(bench)).toBe(4));
    const shown = JSON.parse(
      await bench.byHand("get", "values", "shop", "--namespace", namespace, "--output", "json"),
    );
    expect(shown).toEqual({ replicas: 4 });
  },
  longTimeout,
);
