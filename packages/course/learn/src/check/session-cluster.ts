/**
 * The variable with the kubeconfig of the cluster that `pnpm start` made for this shell.
 */
export const sessionClusterVariable = "OPERATOR_PATH_CLUSTER";

/**
 * Reports whether kubectl reaches the session's own cluster in this environment. Nothing else may be written
 * to, or compared with the page.
 */
export function isSessionCluster(env: Readonly<Record<string, string | undefined>>): boolean {
  return (
    env.KUBECONFIG !== undefined && env.KUBECONFIG !== "" && env.KUBECONFIG === env[sessionClusterVariable]
  );
}
