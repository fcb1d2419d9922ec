import { type NodeConnection, startApiServer } from "@operator-path/apiserver";
import { startKubelet } from "@operator-path/kubelet";
import { afterAll, vi } from "vitest";
import { createClient } from "../../client.ts";
import type { Pod } from "../../generated/kubernetes-types.ts";
import { pods, serviceAccounts } from "../../resources.ts";

/** Starts the embedded API server with a kubelet, for the tests of one file. */
export async function startPodScene() {
  const nodes = new Map<string, NodeConnection>();
  const server = await startApiServer({ connectNode: (name) => nodes.get(name) });
  const client = createClient(server.kubeConfig());
  const inDefault = client.resource(pods).namespace("default");
  await client
    .resource(serviceAccounts)
    .namespace("default")
    .create({ metadata: { name: "default" } });
  const kubelet = await startKubelet({ client, nodeName: "node", log: () => {} });
  nodes.set("node", kubelet.connection);
  afterAll(async () => {
    await kubelet.stop();
    await client.close();
    await server.stop();
  });

  return {
    server,
    client,
    /** Creates a Pod, and waits until it is ready or `until` returns true. */
    async run(
      name: string,
      containers: Partial<NonNullable<Pod["spec"]>["containers"][number]>[],
      until = isReady,
    ): Promise<{ namespace: string; name: string }> {
      await inDefault.create({
        metadata: { name },
        spec: {
          ...{ nodeName: "node", automountServiceAccountToken: false, restartPolicy: "Never" },
          containers: containers.map((container, index) => ({
            name: `c${index}`,
            image: "busybox",
            ...container,
          })),
        },
      });
      await vi.waitUntil(async () => until(await inDefault.get(name)), { timeout: 60_000 });
      return { namespace: "default", name };
    },
  };
}

const isReady = ({ status }: Pod) =>
  status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
export const isDone = ({ status }: Pod) => status?.phase === "Succeeded" || status?.phase === "Failed";
