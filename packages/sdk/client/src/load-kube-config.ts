import { homedir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "./kube-config/kube-config.ts";
import type { Cluster } from "./kube-config/kube-config-data.ts";
import { type InClusterOptions, serviceAccount } from "./kube-config/service-account.ts";

/**
 * Loads the kubeconfig that kubectl would use: the files in KUBECONFIG, otherwise `~/.kube/config`, otherwise
 * the ServiceAccount of the Pod.
 *
 * @throws Error with one line that names the file and the problem
 */
export function loadKubeConfig(): KubeConfig {
  const kubeConfig = new KubeConfig();
  const home = join(homedir(), ".kube", "config");
  const { KUBECONFIG } = process.env;
  const origin = KUBECONFIG ? `KUBECONFIG=${JSON.stringify(KUBECONFIG)}` : JSON.stringify(home);
  try {
    kubeConfig.loadFromDefault();
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new Error(
      `the kubeconfig ${origin} cannot be read: ${reason}; set KUBECONFIG to the path of another`,
    );
  }
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster && isStandIn(cluster)) {
    throw new Error(
      `no kubeconfig: KUBECONFIG is not set, ${home} does not exist, and this process is not in a Pod; set KUBECONFIG to the path of a kubeconfig`,
    );
  }
  if (!cluster?.server) {
    throw new Error(
      `the kubeconfig ${origin} names no cluster for its current context: choose one with kubectl config use-context, or set KUBECONFIG to the path of another`,
    );
  }
  return kubeConfig;
}

/**
 * Returns the cluster of a kubeconfig's current context. It has the URL of a server.
 *
 * @throws Error that names what the kubeconfig lacks. Otherwise each request would fail for that, and be
 *   retried
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
      `the kubeconfig's cluster ${JSON.stringify(name)} has the server ${JSON.stringify(server)}, which is not a URL (expected one like https://127.0.0.1:6443)`,
    );
  }
  if (isStandIn(cluster)) {
    throw new Error(
      "no kubeconfig was found: KUBECONFIG is not set, and ~/.kube/config does not exist; set KUBECONFIG to the path of a kubeconfig",
    );
  }
  return cluster;
}

/**
 * Returns whether this is the cluster that `KubeConfig.loadFromDefault` makes up when it finds no kubeconfig.
 */
function isStandIn({ name, server, skipTLSVerify }: Cluster): boolean {
  return name === "cluster" && server === "http://localhost:8080" && !skipTLSVerify;
}

export type { InClusterOptions };

/**
 * Returns the configuration of a program in a Pod (client-go: `rest.InClusterConfig`). The client reads the
 * token again when it rotates.
 *
 * @throws Error that names the missing variable or file if the process is not in a Pod
 */
export function inClusterConfig(options: InClusterOptions = {}): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions(serviceAccount(options));
  return kubeConfig;
}
