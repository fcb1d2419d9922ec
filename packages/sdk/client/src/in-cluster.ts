import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";

/** Where a Pod finds the credentials of its ServiceAccount. */
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface InClusterOptions {
  /**
   * The root under which the ServiceAccount's folder lies. Default: OPERATOR_PATH_SERVICE_ACCOUNT_ROOT, which is set where
   * a Pod is a process of the host, else "/".
   */
  root?: string;
  env?: Record<string, string | undefined>;
}

/**
 * The configuration of a program that runs in a Pod (client-go: `rest.InClusterConfig`). The token is read anew by
 * client-node when it rotates.
 *
 * @throws Error that names the missing variable or file, when this is no Pod
 */
export function inClusterConfig(options: InClusterOptions = {}): KubeConfig {
  const { env = process.env } = options;
  const root = options.root ?? (env.OPERATOR_PATH_SERVICE_ACCOUNT_ROOT || "/");
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT;
  if (!host || !port) {
    throw new Error("not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  }
  const folder = join(root, serviceAccountFolder);
  const [tokenFile, caFile] = [join(folder, "token"), join(folder, "ca.crt")];
  for (const file of [tokenFile, caFile]) {
    if (!existsSync(file)) throw new Error(`not in a cluster: ${file} does not exist`);
  }
  const namespaceFile = join(folder, "namespace");
  const namespace = existsSync(namespaceFile) ? readFileSync(namespaceFile, "utf8").trim() : undefined;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [
      { name: "in-cluster", server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`, caFile },
    ],
    users: [{ name: "service-account", authProvider: { name: "tokenFile", config: { tokenFile } } }],
    contexts: [
      {
        name: "in-cluster",
        cluster: "in-cluster",
        user: "service-account",
        ...(namespace ? { namespace } : {}),
      },
    ],
    currentContext: "in-cluster",
  });
  return kubeConfig;
}
