import { expect, test } from "vitest";
import { conditionsOf, longTimeout, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

test.each([
  ["is uninstalled with it, even if its chart was renamed", false],
  ["stays if it has replaced the object's own release", true],
])(
  "the release of an object %s",
  async (_, isAnother) => {
    const bench = await startHelmBench();
    const renamed = { ...webChart, "Chart.yaml": "apiVersion: v2\nname: bank\nversion: 1.0.0\n" };
    const first = await bench.operator();
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await first.stop();
    if (isAnother) {
      await bench.byHand("uninstall", "shop");
      await bench.byHand("install", "shop", await writeChart(renamed), "--set", "colour=blue");
    }

    await bench.operator(isAnother ? {} : { files: renamed });
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toContain("Irreconcilable=True"),
    );
    await bench.remove("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(await bench.history("shop")).toHaveLength(isAnother ? 1 : 0);
    if (!isAnother) return;
    await patiently(async () =>
      expect((await bench.events("shop")).join("\n")).toMatch(
        /^ReleaseLeft release shop belongs to the chart bank/m,
      ),
    );
  },
  longTimeout,
);

test(
  "reports what helm could not do after it deleted the release",
  async () => {
    const bench = await startHelmBench();
    const job =
      "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: bye\n  annotations:\n    helm.sh/hook: post-delete\n";
    await bench.operator({ files: { ...webChart, "templates/bye.yaml": `${job}spec: {}\n` } });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await bench.remove("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(await bench.history("shop")).toEqual([]);
    await patiently(async () =>
      expect((await bench.events("shop")).join("\n")).toMatch(
        /^UninstallIncomplete helm uninstall of .*bye/m,
      ),
    );
  },
  longTimeout,
);
