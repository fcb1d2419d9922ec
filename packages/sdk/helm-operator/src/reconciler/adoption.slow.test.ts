// Releases that existed before the object: their data belongs to a person, and stays.
import { expect, test } from "vitest";
import type { Release } from "../release/release.ts";
import { conditionsOf, longTimeout, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

const longAgo = "2020-01-01T00:00:00Z";

test.each([
  ["was not ready in time", [], ["version", "dry run", "upgrade"]],
  [
    "was in the middle of an upgrade",
    [{ revision: 2, status: "pending-upgrade", lastDeployed: longAgo }],
    ["version", "rollback", "dry run", "upgrade"],
  ],
] satisfies [string, Partial<Release>[], string[]][])(
  "upgrades a release of plain helm that %s, and does not uninstall it",
  async (_, later, expected) => {
    const bench = await startHelmBench();
    await bench.byHand("install", "shop", await writeChart(webChart));
    const [installed] = await bench.history("shop");
    const failed: Release = { ...(installed as Release), status: "failed" };
    await bench.replaceRelease(failed);
    for (const each of later) await bench.storeRelease({ ...failed, ...each });
    const { uid } = (await bench.deployment("shop")).metadata ?? {};

    const { processes } = await bench.operator();
    await bench.create("shop", { replicas: 2 });
    await patiently(async () => expect((await bench.deployment("shop")).spec?.replicas).toBe(2));
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    expect(processes).toEqual(expected);
    expect((await bench.deployment("shop")).metadata?.uid).toBe(uid);
  },
  longTimeout,
);

test(
  "leaves a release alone when the object that failed to adopt it is deleted",
  async () => {
    const bench = await startHelmBench();
    await bench.byHand("install", "shop", await writeChart(webChart));
    const { processes } = await bench.operator();
    await bench.create("shop", { refuse: true });
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toContain("Irreconcilable=True"),
    );
    await bench.remove("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(processes).not.toContain("uninstall");
    expect(await bench.history("shop")).toMatchObject([{ revision: 1, status: "deployed" }]);
    expect((await bench.deployment("shop")).spec?.replicas).toBe(1);
  },
  longTimeout,
);
