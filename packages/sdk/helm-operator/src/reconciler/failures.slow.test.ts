import { secrets } from "@operator-path/client";
import { expect, test } from "vitest";
import { helmAnnotations } from "./annotations.ts";
import {
  conditionsOf,
  longTimeout,
  messageOf,
  namespace,
  patiently,
  startHelmBench,
} from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

const revisionsOf = (history: { revision: number; status: string }[]) =>
  history.map(({ revision, status }) => `${revision} ${status}`);

test(
  "uninstalls a failed install, and does not repeat it at once",
  async () => {
    const bench = await startHelmBench();
    const { processes } = await bench.operator({ retryDelays: tomorrow });
    await bench.create("shop", { broken: true });
    await patiently(async () => {
      const conditions = conditionsOf(await bench.get("shop"));
      expect(conditions).toEqual(expect.arrayContaining(["ReleaseFailed=True", "Irreconcilable=True"]));
    });
    expect(messageOf(await bench.get("shop"), "ReleaseFailed")).toContain("selector");
    expect(await bench.history("shop")).toEqual([]);
    // The other object's reconcile comes after any further one of this object.
    await bench.create("other");
    await patiently(async () => expect(conditionsOf(await bench.get("other"))).toContain("Deployed=True"));
    expect(processes).toEqual(["version", "dry run", "install", "uninstall", "dry run", "install"]);

    await bench.change("shop", { broken: false });
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    expect(conditionsOf(await bench.get("shop"))).toContain("ReleaseFailed=False");
  },
  longTimeout,
);

test(
  "rolls back a failed upgrade after a restart, and does not repeat it",
  async () => {
    const bench = await startHelmBench();
    const first = await bench.operator({ rollbackFailedUpgrade: false, retryDelays: tomorrow });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await bench.change("shop", { label: "another" });
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toContain("ReleaseFailed=True"),
    );
    await first.stop();
    expect(revisionsOf(await bench.history("shop"))).toEqual(["2 failed", "1 deployed"]);

    const { processes } = await bench.operator();
    await patiently(async () => {
      expect(revisionsOf(await bench.history("shop"))).toEqual(["3 deployed", "2 failed", "1 superseded"]);
    });
    await patiently(async () => {
      expect(messageOf(await bench.get("shop"), "ReleaseFailed")).toContain("not tried again");
    });
    expect(processes).toEqual(["version", "rollback"]);
  },
  longTimeout,
);

test(
  "does not touch another chart's release, not even when its object is deleted",
  async () => {
    const bench = await startHelmBench();
    const chart = await writeChart({
      ...webChart,
      "Chart.yaml": "apiVersion: v2\nname: bank\nversion: 1.0.0\n",
    });
    await bench.byHand("install", "shop", chart);
    const { processes } = await bench.operator({ retryDelays: tomorrow });
    await bench.create("shop");
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toContain("Irreconcilable=True"),
    );
    expect(messageOf(await bench.get("shop"), "Irreconcilable")).toContain("from the chart bank");
    await bench.remove("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(processes).toEqual([]);
    expect(revisionsOf(await bench.history("shop"))).toEqual(["1 deployed"]);
  },
  longTimeout,
);

test(
  "does not repeat a failed uninstall at once, and keeps the object until one succeeds",
  async () => {
    const bench = await startHelmBench();
    const job =
      "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: bye\n  annotations:\n    helm.sh/hook: pre-delete\n";
    const files = { ...webChart, "templates/bye.yaml": `${job}spec: {}\n` };
    const { processes } = await bench.operator({ files, retryDelays: tomorrow });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await bench.remove("shop");
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toEqual(
        expect.arrayContaining(["ReleaseFailed=True", "Irreconcilable=True"]),
      ),
    );
    // The other object's reconcile comes after any further one of this object.
    await bench.create("other");
    await patiently(async () => expect(conditionsOf(await bench.get("other"))).toContain("Deployed=True"));
    expect(processes).toEqual(["version", "dry run", "install", "uninstall", "dry run", "install"]);

    await bench.annotate("shop", { [helmAnnotations.uninstallDisableHooks]: "true" });
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    await expect(bench.deployment("shop")).rejects.toThrow("not found");
  },
  longTimeout,
);

test(
  "names a Secret that holds no release, and does nothing about it",
  async () => {
    const bench = await startHelmBench();
    await bench.storeRelease({
      ...{ name: "shop", namespace, revision: 1, status: "deployed", manifest: "", hooks: [], values: {} },
      chart: { name: "web", version: "0.1.0" },
    });
    const api = bench.cluster.client.resource(secrets).namespace(namespace);
    await api.patch("sh.helm.release.v1.shop.v1", { data: { release: "AAAA" } }, { type: "merge" });
    const { processes } = await bench.operator({ retryDelays: tomorrow });
    await bench.create("shop");
    await patiently(async () =>
      expect(messageOf(await bench.get("shop"), "Irreconcilable")).toContain("sh.helm.release.v1.shop.v1"),
    );
    expect(processes).toEqual([]);
  },
  longTimeout,
);

/** No retries: only changes lead to further operations. */
const tomorrow = { base: 86_400_000, max: 86_400_000 };
