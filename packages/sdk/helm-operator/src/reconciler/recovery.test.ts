import { expect, test } from "vitest";
import type { Release } from "../release/release.ts";
import {
  ample,
  conditionsOf,
  type HelmBench,
  namespace,
  patiently,
  startHelmBench,
} from "./testing/bench.ts";

const longAgo = "2020-01-01T00:00:00Z";

async function settled(bench: HelmBench, name: string, ...revisions: string[]): Promise<void> {
  await patiently(async () => {
    const history = await bench.history(name);
    expect(history.map(({ revision, status }) => `${revision} ${status}`)).toEqual(revisions);
  });
  await patiently(async () => {
    const conditions = conditionsOf(await bench.get(name));
    expect(conditions).toEqual(expect.arrayContaining(["Deployed=True", "Irreconcilable=False"]));
  });
}

function pending(of: Partial<Release>): Release {
  return {
    ...{ name: "shop", namespace, revision: 1, status: "pending-install", manifest: "", hooks: [] },
    ...{ chart: { name: "web", version: "0.1.0" }, values: {}, lastDeployed: longAgo },
    ...of,
  };
}

test(
  "an install that nobody finished is uninstalled, and done",
  async () => {
    const bench = await startHelmBench();
    await bench.storeRelease(pending({}));
    const { processes } = await bench.operator();
    await bench.create("shop");
    await settled(bench, "shop", "1 deployed");
    expect(processes).toEqual(["version", "uninstall", "dry run", "install"]);
    await patiently(async () =>
      expect(await bench.events("shop")).toContainEqual(expect.stringContaining("Recovered")),
    );
  },
  ample,
);
