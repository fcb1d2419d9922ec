import { type KubeConfig, type V1Pod, Watch } from "@kubernetes/client-node";

/**
 * Watches the Pods of payment, and keeps `pods` as the events say. Calls `onEvent` after each change of the map.
 * Resolves with the error that ended the connection, or with null when the server ended it.
 */
export function watchPods(
  kubeConfig: KubeConfig,
  pods: Map<string, V1Pod>,
  onEvent: (type: string, key: string) => void,
): Promise<unknown> {
  const watch = new Watch(kubeConfig);
  return new Promise((ended, failed) => {
    const handle = (type: string, pod: V1Pod) => {
      if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") return;
      const key = `${pod.metadata?.namespace}/${pod.metadata?.name}`;
      if (type === "DELETED") pods.delete(key);
      else pods.set(key, pod);
      onEvent(type, key);
    };
    watch.watch("/api/v1/pods", { labelSelector: "app=payment" }, handle, ended).catch(failed);
  });
}
