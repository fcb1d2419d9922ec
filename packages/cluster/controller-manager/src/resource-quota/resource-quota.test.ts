import { configMaps, pods, secrets } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ResourceQuota, resourceQuotas } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
  await cluster.startKubelet();
});
afterAll(() => cluster.stop());

async function scene(hard: Record<string, string>) {
  const namespace = await cluster.namespace();
  const quotas = cluster.client.resource(resourceQuotas).namespace(namespace);
  await quotas.create({ metadata: { name: "q", namespace }, spec: { hard } } as ResourceQuota);
  const used = async () => (await quotas.get("q")).status?.used;
  return { namespace, quotas, used };
}

const pod = (name: string, namespace: string) => ({
  metadata: { name, namespace },
  spec: { containers: [{ name: "a", image: "a", resources: { requests: { cpu: "300m" } } }] },
});

test("counts existing objects, and stops counting deleted ones", async () => {
  const { namespace, used } = await scene({ pods: "2", "requests.cpu": "1", "count/secrets": "5" });
  await expect.poll(used, within).toEqual({ pods: "0", "requests.cpu": "0", "count/secrets": "0" });
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  await inNamespace.create(pod("a", namespace));
  await inNamespace.create(pod("b", namespace));
  await cluster.client
    .resource(secrets)
    .namespace(namespace)
    .create({ metadata: { name: "s", namespace } });
  expect(await used()).toEqual({ pods: "2", "requests.cpu": "600m", "count/secrets": "1" });
  await expect(inNamespace.create(pod("c", namespace))).rejects.toThrow(
    'pods "c" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
  );
  await inNamespace.delete("a", { gracePeriodSeconds: 0 });
  await expect.poll(used, within).toEqual({ pods: "1", "requests.cpu": "300m", "count/secrets": "1" });
  await inNamespace.create(pod("c", namespace));
});

test("a changed quota applies with its new limits", async () => {
  const { namespace, quotas, used } = await scene({ configmaps: "1" });
  // kube-root-ca.crt may exist already.
  await expect.poll(async () => Number((await used())?.configmaps), within).toBeGreaterThanOrEqual(0);
  await quotas.patch("q", { spec: { hard: { configmaps: "100" } } }, { type: "merge" });
  await expect.poll(async () => (await quotas.get("q")).status?.hard, within).toEqual({ configmaps: "100" });
  await cluster.client
    .resource(configMaps)
    .namespace(namespace)
    .create({ metadata: { name: "a", namespace } });
});
