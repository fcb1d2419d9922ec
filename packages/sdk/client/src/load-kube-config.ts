import { homedir } from "node:os";
import { join } from "node:path";
import { KubeConfig } from "./kube-config/kube-config.ts";
import type { Cluster } from "./kube-config/kube-config-data.ts";
import { type InClusterOptions, serviceAccount } from "./kube-config/service-account.ts";

/**
 * The kubeconfig that kubectl would use: the files of KUBECONFIG, else `~/.kube/config`; in a Pod, its ServiceAccount.
 *
 * @throws Error in one line that names the file, and what is wrong with it
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
      `no kubeconfig: KUBECONFIG is not set, ${home} is not there, and this is no Pod; set KUBECONFIG to the path of one`,
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

export type { InClusterOptions };

/**
 * The configuration of a program that runs in a Pod (client-go: `rest.InClusterConfig`). The token is read anew when it
 * rotates.
 *
 * @throws Error that names the missing variable or file, when this is no Pod
 */
export function inClusterConfig(options: InClusterOptions = {}): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions(serviceAccount(options));
  return kubeConfig;
}
