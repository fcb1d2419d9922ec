import { homedir } from "node:os";
import { join } from "node:path";
import { isStandIn } from "./current-cluster.ts";
import { KubeConfig } from "./kube-config/kube-config.ts";

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
