import { KubeConfig } from "@operator-path/client";

/** Of a cluster that is not there: for managers with a transport of their own. */
export function loopbackKubeConfig(): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: "none", server: "https://127.0.0.1:1" }],
    users: [{ name: "nobody" }],
    contexts: [{ name: "none", cluster: "none", user: "nobody" }],
    currentContext: "none",
  });
  return kubeConfig;
}
