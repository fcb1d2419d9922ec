import { KubeConfig } from "./kube-config/kube-config.ts";
import { type InClusterOptions, serviceAccount } from "./kube-config/service-account.ts";

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
