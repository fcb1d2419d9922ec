// Helm 3, if HELM3=/path/to/helm names one: the repository's own tools are helm 4 only.
import { findTool } from "@operator-path/tools";
import { expect, it, onTestFinished } from "vitest";
import { recovery } from "../release/recovery.ts";
import { hanging, namespace, patiently, startHelmBench } from "./testing/bench.ts";

const path = process.env.HELM3;

it("helm 3 does what helm 4 does, and helm 4 can take over its releases", async ({ skip }) => {
  if (path === undefined) return skip("HELM3 names no helm 3");
  const bench = await startHelmBench(path);
  onTestFinished(() => bench.stop());
  const chart = await bench.chart("web", {
    ...hanging,
    "values.schema.json": JSON.stringify({ properties: { size: { type: "integer", minimum: 0 } } }),
  });
  const request = (values: Record<string, string | number>) => ({ name: "web", namespace, chart, values });
  const before = await bench.objects();
  const helm = bench.helm();
  expect(await helm.version()).toMatch(/^3\./);
  await expect(helm.install(request({ size: -1 }))).rejects.toMatchObject({ kind: "schema" });
  await expect(helm.dryRun({ ...request({}), chart: "/no" })).rejects.toMatchObject({ kind: "chart" });
  expect((await helm.dryRun(request({ size: 1 }))).manifest).toContain('{size: "1"}');
  expect(await bench.objects()).toEqual(before);

  await helm.install(request({ size: 1 }), { description: "by 3" });
  await helm.upgrade(request({ size: 2 }), { force: true, maxHistory: 5 });
  await helm.rollback({ name: "web", namespace, revision: 1, maxHistory: 5 });
  const history = await bench.history("web");
  expect(history.map(({ revision, status }) => `${revision} ${status}`)).toEqual([
    "3 deployed",
    "2 superseded",
    "1 superseded",
  ]);
  expect(history[2]).toMatchObject({ description: "by 3", values: { size: 1 } });
  expect(history[0]).not.toHaveProperty("deleted");

  const end = new AbortController();
  const cancelled = helm.upgrade(request({ size: 3, hangs: "pre-upgrade" }), { signal: end.signal });
  const stopped = expect(cancelled).rejects.toMatchObject({ kind: "cancelled" });
  await patiently(async () => expect(await bench.objects()).toContain("Job web-hook"));
  end.abort();
  await stopped;
  const failed = await bench.state("web");
  expect(failed).toMatchObject({ kind: "failed", lastDeployed: { revision: 3 } });
  expect(recovery(failed, { now: Date.now() })).toEqual({ kind: "none" });

  const helm4 = bench.helm({ path: (await findTool("helm")).path });
  await helm4.upgrade(request({ size: 4 }));
  expect(await bench.state("web")).toMatchObject({
    kind: "deployed",
    release: { revision: 5, applyMethod: "ssa", values: { size: 4 } },
  });
  await helm.uninstall({ name: "web", namespace, wait: true, timeout: 30_000 });
  expect(await bench.state("web")).toEqual({ kind: "absent" });
});
