import { secrets } from "@operator-path/client";
import { expect, test } from "vitest";
import type { Release } from "../release/release.ts";
import {
  longAgo,
  longTimeout,
  messageOf,
  namespace,
  patiently,
  pending,
  settled,
  startHelmBench,
  webs,
} from "./testing/bench.ts";

test.each(["pending-upgrade", "pending-rollback"] as const)(
  "rolls back a release that was left %s, and then upgrades it",
  async (status) => {
    const bench = await startHelmBench();
    const first = await bench.operator();
    await bench.create("shop");
    await settled(bench, "shop", "1 deployed");
    await first.stop();
    const [deployed] = await bench.history("shop");
    await bench.storeRelease({ ...(deployed as Release), revision: 2, status, lastDeployed: longAgo });
    await bench.change("shop", { replicas: 2 });

    const { processes } = await bench.operator();
    await settled(bench, "shop", "4 deployed", "3 superseded", `2 ${status}`, "1 superseded");
    expect(processes).toEqual(["version", "rollback", "dry run", "upgrade"]);
    expect((await bench.deployment("shop")).spec?.replicas).toBe(2);
  },
);

test(
  "leaves a pending release alone until the patience ends",
  async () => {
    const bench = await startHelmBench();
    const now = new Date().toISOString();
    await bench.storeRelease(pending({ lastDeployed: now }));
    const releaseSecret = () =>
      bench.cluster.client.resource(secrets).namespace(namespace).get("sh.helm.release.v1.shop.v1");
    const before = await releaseSecret();
    const { processes, writes } = await bench.operator({ pendingPatience: 86_400_000 });
    await bench.create("shop");
    await bench.create("other");
    await settled(bench, "other", "1 deployed");
    expect(processes).toEqual(["version", "dry run", "install"]);
    expect(await releaseSecret()).toEqual(before);
    // Nothing was done, so nothing would have to be undone.
    expect(writes()).not.toContain("patch webs shop");
    expect((await bench.history("shop")).map(({ status }) => status)).toEqual(["pending-install"]);
  },
  longTimeout,
);

test(
  "finishes an interrupted uninstall after a restart",
  async () => {
    const bench = await startHelmBench();
    const first = await bench.operator();
    await bench.create("shop");
    await settled(bench, "shop", "1 deployed");
    await first.stop();
    const api = bench.cluster.client.resource(webs).namespace(namespace);
    await api.delete("shop");
    const [deployed] = await bench.history("shop");
    await bench.replaceRelease({ ...(deployed as Release), status: "uninstalling", deleted: longAgo });

    const { processes } = await bench.operator();
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(await bench.history("shop")).toEqual([]);
    await expect(bench.deployment("shop")).rejects.toThrow("not found");
    expect(processes).toEqual(["version", "uninstall"]);
  },
  longTimeout,
);

test(
  "does not recover a pending release of another chart",
  async () => {
    const bench = await startHelmBench();
    await bench.storeRelease(pending({ chart: { name: "other", version: "0.1.0" } }));
    const { processes } = await bench.operator();
    await bench.create("shop");
    await patiently(async () =>
      expect(messageOf(await bench.get("shop"), "Irreconcilable")).toContain("from the chart other"),
    );
    expect(processes).toEqual([]);
    expect((await bench.history("shop")).map(({ status }) => status)).toEqual(["pending-install"]);
  },
  longTimeout,
);
