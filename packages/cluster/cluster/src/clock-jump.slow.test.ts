import { type Clock, createClient, deployments, type Pod, pods, systemClock } from "@operator-path/client";
import { expect, it } from "vitest";
import { startEmbeddedCluster } from "./embedded/start.ts";
import { until } from "./testing/process.ts";

const day = 24 * 3_600_000;

it.each([
  ["back", 1, 0],
  ["forward", 0, 1],
])("keeps working when the clock is set %s a day", async (_, before, after) => {
  let days = before;
  const clock: Clock = { ...systemClock, now: () => Date.now() + days * day };
  const cluster = await startEmbeddedCluster({ clock });
  const client = createClient(cluster.kubeConfig);
  try {
    const inDefault = client.resource(pods).namespace("default");
    const pod = (name: string, command: string[]): Pod => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: "main", image: "busybox", command }] },
    });
    const restarts = async (name: string) =>
      (await inDefault.get(name)).status?.containerStatuses?.[0]?.restartCount ?? 0;
    const labels = { app: "web" };
    await client
      .resource(deployments)
      .namespace("default")
      .create({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web" },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx" }] } },
        },
      });
    const ready = async () =>
      (await client.resource(deployments).namespace("default").get("web")).status?.readyReplicas ?? 0;
    await until(async () => (await ready()) === 1);
    // It is in its 10 s backoff when the clock is set.
    await inDefault.create(pod("crashes", ["false"]));
    await until(async () => (await restarts("crashes")) === 1);
    const node = async () =>
      (
        await client.request({
          method: "GET",
          path: "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/dev-control-plane",
        })
      ).body.toString();
    const lease = await node();

    days = after;
    await until(async () => (await restarts("crashes")) >= 2);
    await client
      .resource(deployments)
      .namespace("default")
      .patch("web", { spec: { replicas: 3 } }, { type: "merge" });
    await until(async () => (await ready()) === 3);
    await inDefault.create(pod("new", ["sleep", "1000"]));
    await until(async () => (await inDefault.get("new")).status?.phase === "Running");
    await inDefault.delete("new");
    await until(async () => (await inDefault.list()).items.every(({ metadata }) => metadata?.name !== "new"));
    await until(async () => (await node()) !== lease);
    // A client without a connection yet.
    const other = createClient(cluster.kubeConfig);
    expect((await other.resource(pods).namespace("default").list()).items.length).toBeGreaterThan(3);
    await other.close();
  } finally {
    await client.close();
    await cluster.stop();
  }
});
