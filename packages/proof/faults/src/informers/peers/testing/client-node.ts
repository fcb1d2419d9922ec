import { CoreV1Api, KubeConfig, ListWatch, type V1ConfigMap, Watch } from "@kubernetes/client-node";
import { onTestFinished } from "vitest";

/**
 * Returns client-node's informer of the ConfigMaps at that address, as `makeInformer` builds it, until the
 * test ends. The caller adds handlers and starts it.
 *
 * @param silence milliseconds without a byte after which it reconnects; its own default is 30,000
 */
export function createClientNodeInformer(url: string, silence?: number): ListWatch<V1ConfigMap> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "peers", server: url, skipTLSVerify: true }, { name: "test" });
  const watch = new Watch(kubeConfig);
  if (silence !== undefined) Object.assign(watch, { requestTimeoutMs: silence });
  const api = kubeConfig.makeApiClient(CoreV1Api);
  const list = () => api.listNamespacedConfigMap({ namespace: "shop" });
  const path = "/api/v1/namespaces/shop/configmaps";
  // Delayed reconnects happen at once: no test waits for the delay.
  const options = { delayFn: () => Promise.resolve() };
  const informer = new ListWatch<V1ConfigMap>(path, watch, list, false, undefined, undefined, options);
  onTestFinished(() => informer.stop());
  return informer;
}
