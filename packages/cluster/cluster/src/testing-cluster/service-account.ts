import { KubeConfig } from "@operator-path/client";
import type { TestCluster } from "./start-test-cluster.ts";

/**
 * The kubeconfig of a ServiceAccount that is there, with a token of its own: for a manager that may do what the roles allow
 * that the operator is shipped with, and nothing else.
 *
 * @throws ApiError with the reason NotFound when there is no such ServiceAccount
 */
export async function serviceAccountKubeConfig(
  { client, kubeConfig }: Pick<TestCluster, "client" | "kubeConfig">,
  { namespace, name }: { namespace: string; name: string },
): Promise<KubeConfig> {
  const { body } = await client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  const { status } = JSON.parse(Buffer.from(body).toString()) as { status: { token: string } };
  const server = kubeConfig.getCurrentCluster();
  if (!server) throw new Error("the cluster's kubeconfig names none");
  const own = new KubeConfig();
  own.loadFromClusterAndUser(server, { name, token: status.token });
  return own;
}
