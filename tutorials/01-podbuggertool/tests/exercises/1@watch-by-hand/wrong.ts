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
      // Two namespaces may have a Pod of the same name.
      const key = pod.metadata?.name ?? "";
      if (type === "DELETED") pods.delete(key);
      else if (type === "ADDED" || type === "MODIFIED") pods.set(key, pod);
      else return;
      onEvent(type, key);
    };
    watch.watch("/api/v1/pods", { labelSelector: "app=payment" }, handle, ended).catch(failed);
  });
}
