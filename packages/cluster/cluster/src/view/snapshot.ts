import { type Client, namespaces, nodes, type Pod, pods } from "@operator-path/client";

/** A cluster at one moment, as far as the picture shows it. */
export interface Snapshot {
  readonly nodes: readonly NodeView[];
  /** Pods that no node has yet, or whose node is gone. */
  readonly homeless: readonly PodView[];
  readonly namespaces: readonly string[];
}

export interface NodeView {
  readonly name: string;
  readonly ready: boolean;
  readonly pods: readonly PodView[];
}

export interface PodView {
  readonly namespace: string;
  readonly name: string;
  /** As the STATUS column of kubectl says it, in short: Running, Pending, ImagePullBackOff, Terminating. */
  readonly status: string;
  /** Ready containers and all of them. */
  readonly ready: readonly [number, number];
}

/** Asks the API server. Throws what the client throws. */
export async function takeSnapshot(client: Client, signal?: AbortSignal): Promise<Snapshot> {
  const [nodeList, podList, namespaceList] = await Promise.all([
    client.resource(nodes).list({ signal }),
    client.resource(pods).list({ signal }),
    client.resource(namespaces).list({ signal }),
  ]);
  const onNode = Map.groupBy(podList.items, (pod) => pod.spec?.nodeName ?? "");
  const views = nodeList.items.map((node) => {
    const name = node.metadata?.name ?? "";
    const mine = (onNode.get(name) ?? []).map(viewPod);
    onNode.delete(name);
    const ready = node.status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
    return { name, ready, pods: mine };
  });
  return {
    nodes: views,
    homeless: [...onNode.values()].flat().map(viewPod),
    namespaces: namespaceList.items.map(({ metadata }) => metadata?.name ?? ""),
  };
}

function viewPod(pod: Pod): PodView {
  const statuses = pod.status?.containerStatuses ?? [];
  return {
    namespace: pod.metadata?.namespace ?? "",
    name: pod.metadata?.name ?? "",
    status: statusOf(pod),
    ready: [statuses.filter(({ ready }) => ready).length, pod.spec?.containers.length ?? 0],
  };
}

/** kubectl's printer computes it the same way from the containers' reasons. */
function statusOf(pod: Pod): string {
  if (pod.metadata?.deletionTimestamp !== undefined) return "Terminating";
  const containers = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const reasons = containers.map(({ state }) => state?.waiting?.reason ?? state?.terminated?.reason);
  const telling = reasons.find((reason) => reason !== undefined && reason !== "Completed");
  return telling ?? pod.status?.reason ?? pod.status?.phase ?? "Pending";
}
