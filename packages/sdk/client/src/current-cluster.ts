import type { KubeConfig } from "./kube-config/kube-config.ts";
import type { Cluster } from "./kube-config/kube-config-data.ts";

/**
 * The cluster of a kubeconfig's current context, with a server that can be asked.
 *
 * @throws Error that says what the kubeconfig lacks: otherwise every request would fail for it, and be tried again
 */
export function currentCluster(kubeConfig: KubeConfig): Cluster {
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster?.server) {
    throw new Error(
      `the kubeconfig names no cluster for its current context ${JSON.stringify(kubeConfig.getCurrentContext() ?? "")}: set KUBECONFIG, or choose a context with kubectl config use-context`,
    );
  }
  const { name, server } = cluster;
  const { protocol } = URL.parse(server) ?? {};
  if (protocol !== "http:" && protocol !== "https:") {
    throw new Error(
      `the kubeconfig's cluster ${JSON.stringify(name)} has the server ${JSON.stringify(server)}: give its URL, like https://127.0.0.1:6443`,
    );
  }
  if (isStandIn(cluster)) {
    throw new Error(
      "no kubeconfig was found: KUBECONFIG is not set, and ~/.kube/config is not there; set KUBECONFIG to the path of one",
    );
  }
  return cluster;
}

/** What `KubeConfig.loadFromDefault` makes up when it finds nothing. */
export function isStandIn({ name, server, skipTLSVerify }: Cluster): boolean {
  return name === "cluster" && server === "http://localhost:8080" && !skipTLSVerify;
}
