import { KubeConfig } from "@operator-path/client";

/** What clusters are called in the kubeconfigs that we write: a page shows the same words wherever it runs. */
export const ourContext = "operator-path";

/** A kubeconfig of the current context alone, which is called `operator-path`. */
export function underOneContext(kubeconfig: string): string {
  const { currentContext, contexts, clusters, users } = parsed(kubeconfig);
  const context = contexts.find(({ name }) => name === currentContext);
  const own = new KubeConfig();
  own.loadFromOptions({
    clusters: clusters
      .filter(({ name }) => name === context?.cluster)
      .map((one) => ({ ...one, name: ourContext })),
    users: users.filter(({ name }) => name === context?.user).map((one) => ({ ...one, name: ourContext })),
    contexts: [{ name: ourContext, cluster: ourContext, user: ourContext }],
    currentContext: ourContext,
  });
  return own.exportConfig();
}

function parsed(text: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(text);
  return kubeConfig;
}
