import { CoreV1Api, KubeConfig, ListWatch, type V1ConfigMap, Watch } from "@kubernetes/client-node";
import { onTestFinished } from "vitest";

/**
 * client-node's informer of the ConfigMaps at that address, as `makeInformer` builds it, until the test ends. Started by
 * the caller, who says first what is to be done with its events.
 *
 * @param silence milliseconds without a byte after which it connects anew; its own default is 30,000
 */
export function createClientNodeInformer(url: string, silence?: number): ListWatch<V1ConfigMap> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "peers", server: url, skipTLSVerify: true }, { name: "test" });
  const watch = new Watch(kubeConfig);
  if (silence !== undefined) Object.assign(watch, { requestTimeoutMs: silence });
  const api = kubeConfig.makeApiClient(CoreV1Api);
  const list = () => api.listNamespacedConfigMap({ namespace: "shop" });
  const path = "/api/v1/namespaces/shop/configmaps";
  // Reconnects that it delays happen at once: nothing here waits for them.
  const options = { delayFn: () => Promise.resolve() };
  const informer = new ListWatch<V1ConfigMap>(path, watch, list, false, undefined, undefined, options);
  onTestFinished(() => informer.stop());
  return informer;
}
