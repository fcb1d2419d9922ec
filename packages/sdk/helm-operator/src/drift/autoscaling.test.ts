import { deployments, horizontalPodAutoscalers, type KubeObject } from "@operator-path/client";
import { mergeFrom } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DriftBench, providersHere, startDriftCluster } from "./testing/drift-bench.ts";

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

/** As a HorizontalPodAutoscaler does it, or somebody by hand. */
async function scale({ client, namespace }: DriftBench, replicas: number, image = "nginx") {
  const live = await client.get(deployments, { namespace, name: "web" });
  const spec = structuredClone(live.spec) as NonNullable<typeof live.spec>;
  spec.replicas = replicas;
  for (const container of spec.template.spec?.containers ?? []) container.image = image;
  await client.patch({ ...live, spec }, mergeFrom(live), { fieldManager: "kube-controller-manager" });
}

async function stateOf({ client, namespace }: DriftBench) {
  const { spec } = await client.get(deployments, { namespace, name: "web" });
  return { replicas: spec?.replicas, image: spec?.template.spec?.containers[0]?.image };
}

describe.each(await providersHere())("on the %s API server", (provider) => {
  let running: Awaited<ReturnType<typeof startDriftCluster>>;
  beforeAll(async () => {
    running = await startDriftCluster(provider);
  }, 120_000);
  afterAll(async () => running?.stop());

  test.for([
    ["of the chart", true],
    ["of somebody else", false],
  ] as const)(
    "the replicas that an autoscaler %s has set stay, also when the rest is repaired",
    async ([, isCharts]) => {
      const bench = await running.bench();
      const manifest = isCharts ? `${web}---\n${JSON.stringify(autoscaler)}` : web;
      if (!isCharts) {
        const metadata = { namespace: bench.namespace, name: "web" };
        await bench.client.create({ ...autoscaler, metadata } as KubeObject);
      }
      await bench.repair(manifest);
      await scale(bench, 5);
      expect(await bench.repair(manifest)).toEqual([]);
      expect(bench.writes().filter((line) => line.startsWith("PATCH /apis/apps/"))).toHaveLength(2);
      expect(await bench.repair(manifest)).toEqual([]);
      expect(bench.requests().filter((line) => line.includes("/apps/"))).toHaveLength(1);

      await scale(bench, 6, "busybox");
      expect(await bench.repair(manifest)).toMatchObject([
        { action: "patched", fields: ['spec.template.spec.containers[name="web"].image'] },
      ]);
      expect(await stateOf(bench)).toEqual({ replicas: 6, image: "nginx" });
    },
  );

  test("without an autoscaler the chart says how many replicas there are", async () => {
    const bench = await running.bench();
    await bench.repair(web);
    await bench.client.create({
      ...autoscaler,
      ...{ metadata: { namespace: bench.namespace, name: "other" } },
      spec: { ...autoscaler.spec, scaleTargetRef: { ...target, name: "other" } },
    } as KubeObject);
    await scale(bench, 5);
    expect(await bench.repair(web)).toMatchObject([{ action: "patched", fields: ["spec.replicas"] }]);
    expect(await stateOf(bench)).toEqual({ replicas: 2, image: "nginx" });
    expect(await bench.client.list(horizontalPodAutoscalers, { namespace: bench.namespace })).toHaveLength(1);
  });
});
