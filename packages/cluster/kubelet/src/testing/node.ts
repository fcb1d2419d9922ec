import { setTimeout as pause } from "node:timers/promises";
import { startApiServer } from "@operator-path/apiserver";
import { type Client, createClient, events, type Pod, pods, serviceAccounts } from "@operator-path/client";
import { type Kubelet, type KubeletOptions, startKubelet } from "../kubelet.ts";
import type { ContainerSpec } from "../pod/types.ts";

/** Starts the embedded API server with one simulated node. */
export async function startTestNode(options: Partial<KubeletOptions> = {}) {
  const logged: string[] = [];
  const server = await startApiServer();
  const client = createClient(server.kubeConfig());
  await client
    .resource(serviceAccounts)
    .namespace("default")
    .create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
  const start = () =>
    startKubelet({ client, nodeName: "node", log: (message) => logged.push(message), ...options });
  let kubelet = await start();
  return {
    client,
    server,
    logged,
    get kubelet(): Kubelet {
      return kubelet;
    },
    /** Restarts the node. The API server keeps running. */
    async restart() {
      await kubelet.stop();
      kubelet = await start();
    },
    async stop() {
      await kubelet.stop();
      await client.close();
      await server.stop();
    },
  };
}

/** Returns a Pod bound to the node, without a token. */
export function podOf(
  name: string,
  containers: Partial<ContainerSpec>[],
  spec: Partial<NonNullable<Pod["spec"]>> = {},
): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      nodeName: "node",
      automountServiceAccountToken: false,
      containers: containers.map((container, i) => ({
        name: i === 0 ? "main" : `main${i}`,
        ...container,
      })) as ContainerSpec[],
      ...spec,
    },
  };
}

/**
 * Asks until the answer is the wanted one. Fails with the last answer after a minute.
 * @param step runs between two questions, to move a clock for example
 */
export async function until<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  step: () => Promise<unknown> = () => pause(10),
): Promise<T> {
  const limit = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > limit) throw new Error(`never came: ${JSON.stringify(answer)}`);
    await step();
  }
}

export function getPod(client: Client, name: string): () => Promise<Pod> {
  return () => client.resource(pods).namespace("default").get(name);
}

export const isReady = (pod: Pod) =>
  pod.status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";

/** Returns the Events about a Pod as `reason: message`, oldest first. */
export async function eventsOf(client: Client, name: string): Promise<string[]> {
  const { items } = await client
    .resource(events)
    .namespace("default")
    .list({ fieldSelector: `involvedObject.name=${name}` });
  return items
    .sort((a, b) => Number(a.metadata?.resourceVersion) - Number(b.metadata?.resourceVersion))
    .map(({ reason, message }) => `${reason}: ${message}`);
}
