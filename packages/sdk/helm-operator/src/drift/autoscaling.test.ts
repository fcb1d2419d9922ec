import { type DeploymentSpec, deployments } from "@operator-path/client";
import { mergeFrom } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DriftBench, providerOfTests, startDriftCluster } from "./testing/drift-bench.ts";

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
`;
const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const autoscaler = {
  ...{ apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "web" } },
  spec: { scaleTargetRef: target, minReplicas: 2, maxReplicas: 9 },
};

/** Scales as a HorizontalPodAutoscaler does, or a person. */
async function scale({ client, namespace }: DriftBench, replicas: number, image = "nginx") {
  const live = await client.get(deployments, { namespace, name: "web" });
  const spec = structuredClone(live.spec) as DeploymentSpec;
  spec.replicas = replicas;
  for (const container of spec.template.spec?.containers ?? []) container.image = image;
  await client.patch({ ...live, spec }, mergeFrom(live), { fieldManager: "kube-controller-manager" });
}

async function stateOf({ client, namespace }: DriftBench) {
  const { spec } = await client.get(deployments, { namespace, name: "web" });
  return { replicas: spec?.replicas, image: spec?.template.spec?.containers[0]?.image };
}

/** Our API server does not serve autoscalers, so the results leave the chart's own one out. */
const repair = async (bench: DriftBench, manifest: string) =>
  (await bench.repair(manifest)).filter(({ object }) => object.kind === "Deployment");

const ofDeployments = (requests: string[]) => requests.filter((line) => line.includes("/apis/apps/"));

describe.each([await providerOfTests()])("on the %s API server", (provider) => {
  let running: Awaited<ReturnType<typeof startDriftCluster>>;
  beforeAll(async () => {
    running = await startDriftCluster(provider);
  });
  afterAll(async () => running?.stop());

  test.for([
    ["of the chart", true],
    ["outside the chart", false],
  ] as const)(
    "keeps the replicas that an autoscaler %s has set, even when the rest is repaired",
    async ([, isCharts]) => {
      const bench = await running.bench();
      const manifest = isCharts ? `${web}---\n${JSON.stringify(autoscaler)}` : web;
      if (!isCharts) await bench.autoscale(autoscaler);
      await repair(bench, manifest);
      // Before the autoscaler has set them, helm manages the replicas: giving them up would remove them.
      await scale(bench, 2, "busybox");
      expect(await repair(bench, manifest)).toMatchObject([{ action: "patched" }]);
      expect(await stateOf(bench)).toEqual({ replicas: 2, image: "nginx" });

      await scale(bench, 5);
      bench.requests();
      expect(await repair(bench, manifest)).toEqual([]);
      expect(ofDeployments(bench.writes())).toEqual([]);
      expect(await repair(bench, manifest)).toEqual([]);
      expect(ofDeployments(bench.requests())).toEqual([expect.stringMatching(/^GET /)]);

      await scale(bench, 6, "busybox");
      expect(await repair(bench, manifest)).toMatchObject([
        { action: "patched", fields: ['spec.template.spec.containers[name="web"].image'] },
      ]);
      expect(await stateOf(bench)).toEqual({ replicas: 6, image: "nginx" });
    },
  );

  test("keeps scaled replicas where autoscalers are forbidden, and logs that once", async () => {
    const bench = await running.bench();
    const lines: unknown[][] = [];
    const drift = bench.restarted(undefined, undefined, {
      warn: (...line: unknown[]) => void lines.push(line),
    });
    await bench.repair(web, undefined, drift);
    bench.forbid("/horizontalpodautoscalers");
    for (const replicas of [5, 6]) {
      await scale(bench, replicas, "busybox");
      await bench.repair(web, undefined, drift);
      expect(await stateOf(bench)).toEqual({ replicas, image: "nginx" });
    }
    bench.forbid(undefined);
    expect(lines).toEqual([
      [
        { resource: "horizontalpodautoscalers.autoscaling", verb: "list" },
        "Scaled replicas are left unchanged, because the operator may not list autoscalers: add an RBAC rule",
      ],
    ]);
  });

  test("resets the replicas to the chart's number without an autoscaler", async () => {
    const bench = await running.bench();
    await bench.repair(web);
    const scaleTargetRef = { ...target, name: "other" };
    await bench.autoscale({ ...autoscaler, spec: { ...autoscaler.spec, scaleTargetRef } });
    await scale(bench, 5);
    expect(await bench.repair(web)).toMatchObject([{ action: "patched", fields: ["spec.replicas"] }]);
    expect(await stateOf(bench)).toEqual({ replicas: 2, image: "nginx" });
  });
});
