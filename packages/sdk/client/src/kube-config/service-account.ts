import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type KubeConfigData, tokenFileProvider } from "./kube-config-data.ts";

/** The folder with the credentials of a Pod's ServiceAccount. */
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Configures `inClusterConfig`. */
export interface InClusterOptions {
  /**
   * The root of the ServiceAccount's folder. Default: OPERATOR_PATH_SERVICE_ACCOUNT_ROOT, which is set if the
   * Pod is a process of the host, otherwise "/".
   */
  root?: string | undefined;
  env?: Record<string, string | undefined> | undefined;
}

/** @throws Error that names the missing variable or file if the process is not in a Pod */
export function serviceAccount({ env = process.env, root }: InClusterOptions): KubeConfigData {
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT;
  if (!host || !port) {
    throw new Error("not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  }
  const folder = folderBelow(root, env);
  const [tokenFile, caFile] = [join(folder, "token"), join(folder, "ca.crt")];
  for (const file of [tokenFile, caFile]) {
    if (!existsSync(file)) throw new Error(`not in a cluster: ${file} does not exist`);
  }
  const namespaceFile = join(folder, "namespace");
  const namespace = existsSync(namespaceFile) ? readFileSync(namespaceFile, "utf8").trim() : undefined;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const [cluster, user] = ["in-cluster", "service-account"];
  return {
    clusters: [{ name: cluster, server, caFile, skipTLSVerify: false }],
    users: [{ name: user, authProvider: tokenFileProvider(tokenFile) }],
    contexts: [{ name: cluster, cluster, user, ...(namespace ? { namespace } : {}) }],
    currentContext: cluster,
  };
}

/** Returns whether this process has the token of a ServiceAccount. */
export function hasServiceAccount(env = process.env): boolean {
  return existsSync(join(folderBelow(undefined, env), "token"));
}

function folderBelow(root: string | undefined, env: NonNullable<InClusterOptions["env"]>): string {
  return join(root ?? (env.OPERATOR_PATH_SERVICE_ACCOUNT_ROOT || "/"), serviceAccountFolder);
}
