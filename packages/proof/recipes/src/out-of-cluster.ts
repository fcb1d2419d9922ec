import { createClient, type KubeConfig, loadKubeConfig, namespaces } from "@operator-path/client";
import type { ManagerOptions } from "@operator-path/controller-runtime";

/**
 * Loads the kubeconfig: the files of KUBECONFIG, else ~/.kube/config; in a Pod, its ServiceAccount.
 *
 * @param context default: the kubeconfig's current one
 * @throws Error that lists the known contexts when this one is missing
 */
export function loadContext(context?: string): KubeConfig {
  const kubeConfig = loadKubeConfig();
  if (context === undefined) return kubeConfig;
  if (!kubeConfig.getContextObject(context)) {
    const known = kubeConfig.getContexts().map(({ name }) => name);
    throw new Error(`the kubeconfig has no context ${context}: use one of ${known.join(", ")}`);
  }
  kubeConfig.setCurrentContext(context);
  return kubeConfig;
}

/** Options of `createManager` that a process without a Pod has to give. */
export const outOfCluster: ManagerOptions = {
  // In a Pod, the default is the Pod's namespace. Outside of a cluster there is no default.
  leaderElection: { id: "shop-operator", namespace: "shop-system" },
  // The operator runs on a machine that others may reach.
  healthProbeBindAddress: "127.0.0.1:8081",
};

/**
 * Refuses to work in an unexpected cluster. A context can be renamed and an address reused; the UID of the namespace
 * kube-system belongs to one cluster, for as long as that exists.
 *
 * @throws Error that names the cluster which was found
 */
export async function expectCluster(kubeConfig: KubeConfig, uid: string): Promise<void> {
  const client = createClient(kubeConfig);
  try {
    const { metadata } = await client.resource(namespaces).get("kube-system");
    if (metadata?.uid === uid) return;
    const { server } = kubeConfig.getCurrentCluster() ?? {};
    throw new Error(
      `context ${kubeConfig.getCurrentContext()} leads to ${server}, whose cluster is ${metadata?.uid}, not ${uid}: ` +
        "choose another context, or change the expected UID",
    );
  } finally {
    await client.close();
  }
}
