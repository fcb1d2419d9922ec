import v8 from "node:v8";
import { startApiServer } from "@operator-path/apiserver";
import { createClient, events, type Pod, pods, serviceAccounts } from "@operator-path/client";
import { expect, it } from "vitest";
import { startKubelet } from "./kubelet.ts";
import { podOf, until } from "./testing/node.ts";

/** Counts live objects by type, after a garbage collection. */
const alive = () => ({
  functions: v8.queryObjects(Function, { format: "count" }),
  signals: v8.queryObjects(AbortSignal, { format: "count" }),
  timers: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
  sockets: process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length,
});

/**
 * Returns how many more objects there are, by type. Counts types that grew by more than two for each of the
 * 400 Pods (functions) or by one for every tenth Pod (others). A worker that stays alive keeps more than a
 * hundred functions.
 */
function grown(before: ReturnType<typeof alive>, after: ReturnType<typeof alive>): Record<string, number> {
  const more = Object.entries(after).map(
    ([name, n]) => [name, n - before[name as keyof typeof before]] as const,
  );
  return Object.fromEntries(more.filter(([name, n]) => n > (name === "functions" ? 800 : 40)));
}

/** Pods that complete, fail, cannot be pulled or mounted, or serve and are probed. */
const kinds: readonly ((name: string) => Pod)[] = [
  (name) => podOf(name, [{ image: "busybox", command: ["true"] }], { restartPolicy: "Never" }),
  (name) => podOf(name, [{ image: "busybox", command: ["false"] }]),
  (name) => podOf(name, [{ image: "no-such-image:1" }]),
  (name) =>
    podOf(name, [{ image: "busybox", command: ["sleep", "1000"] }], {
      volumes: [{ name: "v", configMap: { name: "missing" } }],
    }),
  (name) =>
    podOf(
      name,
      [
        {
          image: "nginx",
          readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 1 },
          livenessProbe: { exec: { command: ["true"] }, periodSeconds: 1 },
          volumeMounts: [{ name: "v", mountPath: "/v" }],
        },
      ],
      { volumes: [{ name: "v", emptyDir: {} }] },
    ),
];
const hasBegun = ({ status }: Pod) =>
  status?.phase === "Succeeded" ||
  status?.phase === "Running" ||
  status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === "ErrImagePull") === true ||
  status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === "ImagePullBackOff") === true;

it("keeps nothing of deleted Pods", async () => {
  // The API server's history also holds closures, up to a limit.
  const server = await startApiServer({ history: { historyLimit: 10 } });
  const client = createClient(server.kubeConfig());
  await client
    .resource(serviceAccounts)
    .namespace("default")
    .create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
  const kubelet = await startKubelet({ client, nodeName: "node" });
  const inDefault = client.resource(pods).namespace("default");
  let last = 0;
  const comeAndGo = async (count: number) => {
    for (let done = 0; done < count; done += 50) {
      const batch = Array.from({ length: 50 }, () => kinds[last++ % kinds.length]?.(`pod-${last}`) as Pod);
      await Promise.all(batch.map((pod) => inDefault.create(pod)));
      const list = async () => (await inDefault.list()).items;
      await until(list, (items) =>
        items.every((pod) => pod.spec?.volumes?.[0]?.configMap !== undefined || hasBegun(pod)),
      );
      await Promise.all(
        batch.map(({ metadata }) => inDefault.delete(metadata?.name ?? "", { gracePeriodSeconds: 0 })),
      );
      await until(list, (items) => items.length === 0);
    }
  };
  // Events of deleted Pods may still arrive.
  const forgetEvents = () => client.resource(events).namespace("default").deleteCollection();
  try {
    // The first Pods fill caches and load modules.
    await comeAndGo(200);
    await forgetEvents();
    const before = alive();
    await comeAndGo(400);
    await expect
      .poll(
        async () => {
          await forgetEvents();
          return grown(before, alive());
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toEqual({});
  } finally {
    await kubelet.stop();
    await client.close();
    await server.stop();
  }
});
