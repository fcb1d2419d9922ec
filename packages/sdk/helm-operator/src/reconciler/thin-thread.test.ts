import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deployments, services } from "@operator-path/client";
import { execa } from "execa";
import { expect, test } from "vitest";
import { loadChart } from "../chart/load-chart.ts";
import { conditionsOf, longTimeout, namespace, patiently, startHelmBench, webs } from "./testing/bench.ts";
import { writeChart } from "./testing/charts.ts";

test(
  "a chart from `helm create`, from install to uninstall",
  async () => {
    const bench = await startHelmBench();
    const folder = await writeChart({});
    await execa(bench.helmPath, ["create", "web"], { cwd: folder, env: { HOME: folder }, extendEnv: false });
    expect(await readFile(join(folder, "web/Chart.yaml"), "utf8")).toContain("name: web");
    const { processes, writes } = await bench.operator({ chart: await loadChart(join(folder, "web")) });

    // Installed.
    const created = await bench.create("shop", { replicaCount: 2 });
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop")).toSorted()).toEqual([
        "Deployed=True",
        "Initialized=True",
        "Irreconcilable=False",
        "ReleaseFailed=False",
      ]),
    );
    expect((await bench.deployment("shop-web")).spec?.replicas).toBe(2);
    expect((await bench.get("shop")).status?.deployedRelease).toMatchObject({ name: "shop" });
    expect((await bench.get("shop")).metadata?.finalizers).toEqual(["uninstall-helm-release"]);
    const listed = JSON.parse(await bench.byHand("list", "--namespace", namespace, "--output", "json"));
    expect(listed).toMatchObject([{ name: "shop", revision: "1", status: "deployed", chart: "web-0.1.0" }]);
    const owner = { uid: created.metadata?.uid, kind: "Web", name: "shop", controller: true };
    await patiently(async () => {
      const service = await bench.cluster.client.resource(services).namespace(namespace).get("shop-web");
      for (const { metadata } of [service, await bench.deployment("shop-web")]) {
        expect(metadata?.ownerReferences).toMatchObject([owner]);
      }
    });
    expect(processes).toEqual(["version", "dry run", "install"]);

    // Upgraded: one new revision.
    await bench.change("shop", { replicaCount: 3 });
    await patiently(async () => expect((await bench.deployment("shop-web")).spec?.replicas).toBe(3));
    await patiently(async () => {
      const revisions = (await bench.history("shop")).map(({ revision, status }) => `${revision} ${status}`);
      expect(revisions).toEqual(["2 deployed", "1 superseded"]);
    });
    expect(processes.slice(3)).toEqual(["dry run", "upgrade"]);

    // Repaired, without helm.
    const { client } = bench.cluster;
    await client
      .resource(deployments)
      .namespace(namespace)
      .patch("shop-web", { spec: { replicas: 7 } }, { type: "merge" });
    await patiently(async () => expect((await bench.deployment("shop-web")).spec?.replicas).toBe(3));
    await patiently(async () =>
      expect((await bench.events("shop")).join("\n")).toContain("DriftRepaired Deployment"),
    );
    expect(processes.slice(5)).toEqual([]);
    expect(await bench.history("shop")).toHaveLength(2);

    // An object without a relevant change is left alone.
    const before = writes().length;
    await bench.cluster.client
      .resource(webs)
      .namespace(namespace)
      .patch("shop", { metadata: { labels: { looked: "at" } } }, { type: "merge" });
    // Behind it in the controller's queue.
    await bench.create("other");
    await patiently(async () => expect(conditionsOf(await bench.get("other"))).toContain("Deployed=True"));
    expect(processes.slice(5)).toEqual(["dry run", "install"]);
    expect(
      writes()
        .slice(before)
        .filter((write) => write.includes("shop")),
    ).toEqual([]);

    // Uninstalled.
    await client.resource(webs).namespace(namespace).delete("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(await bench.history("shop")).toEqual([]);
    await expect(bench.deployment("shop-web")).rejects.toThrow("not found");
  },
  longTimeout,
);
