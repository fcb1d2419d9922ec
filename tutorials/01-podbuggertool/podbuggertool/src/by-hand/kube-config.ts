import { KubeConfig } from "@kubernetes/client-node";

/** Returns your kubeconfig, or one for the address in PROXY if that is set: the address of a `kubectl proxy`. */
export function loadKubeConfig(): KubeConfig {
  const kubeConfig = new KubeConfig();
  const proxy = { name: "proxy", server: `http://${process.env.PROXY}`, skipTLSVerify: true };
  if (process.env.PROXY) kubeConfig.loadFromClusterAndUser(proxy, { name: "me" });
  else kubeConfig.loadFromDefault();
  return kubeConfig;
}
