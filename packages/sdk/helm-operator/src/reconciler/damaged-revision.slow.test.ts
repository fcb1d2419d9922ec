import { secrets } from "@operator-path/client";
import { expect, test } from "vitest";
import { longTimeout, messageOf, namespace, patiently, startHelmBench } from "./testing/bench.ts";

test(
  "ignores a damaged old revision without reading it, and reports a damaged newest one",
  async () => {
    const bench = await startHelmBench();
    const { requests } = await bench.operator();
    const revisions = async () =>
      (await bench.history("shop")).map(({ revision, status }) => `${revision} ${status}`);
    await bench.create("shop");
    await patiently(async () => expect(await revisions()).toEqual(["1 deployed"]));
    await bench.change("shop", { replicas: 2 });
    await patiently(async () => expect(await revisions()).toEqual(["2 deployed", "1 superseded"]));
    const api = bench.cluster.client.resource(secrets).namespace(namespace);
    const damage = (name: string) => api.patch(name, { data: { release: "AAAA" } }, { type: "merge" });
    const first = "sh.helm.release.v1.shop.v1";
    await damage(first);
    const before = requests().length;
    await bench.change("shop", { broken: true, replicas: 3 });
    await patiently(async () => expect((await bench.events("shop")).join("\n")).toContain("RolledBack"));
    await bench.change("shop", { broken: false });
    await patiently(async () => expect((await bench.deployment("shop")).spec?.replicas).toBe(3));
    const read = requests()
      .slice(before)
      .filter((request) => request.startsWith("get secrets"));
    expect(read.length).toBeGreaterThan(0);
    expect(read).not.toContain(`get secrets ${first}`);

    const newest = (await api.list()).items
      .map(({ metadata }) => metadata?.name ?? "")
      .sort()
      .at(-1) as string;
    await damage(newest);
    await patiently(async () =>
      expect(messageOf(await bench.get("shop"), "Irreconcilable")).toContain(
        `Secret ${namespace}/${newest} contains no helm release`,
      ),
    );
  },
  longTimeout,
);
