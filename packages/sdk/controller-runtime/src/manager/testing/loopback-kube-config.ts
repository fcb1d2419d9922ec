import { KubeConfig } from "@operator-path/client";

/** Returns a kubeconfig of a cluster that does not exist, for managers with a transport of their own. */
export function loopbackKubeConfig(): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: "none", server: "https://127.0.0.1:1" }],
    users: [{ name: "none" }],
    contexts: [{ name: "none", cluster: "none", user: "none" }],
    currentContext: "none",
  });
  return kubeConfig;
}
