import type { RequestOptions } from "node:https";
import { credentialsOf, isPlainHttp, KubeConfig, shareCredentials, userOf } from "./kube-config.ts";
import type { Cluster, User } from "./kube-config-data.ts";

/** The user of one client, and the certificates that it trusts. */
export interface Authentication {
  /** null if the requests carry no credentials. */
  readonly user: User | null;
  /** Sets certificates and headers, as `KubeConfig.applyToHTTPSOptions` does. @throws CredentialsError */
  applyTo(options: RequestOptions, signal?: AbortSignal): Promise<void>;
  /**
   * Call it when the server answers 401 to credentials from `applyTo`. The next request starts the plugin
   * again.
   */
  refuse(options: RequestOptions): void;
}

/**
 * Returns the authentication for the current context. It takes a snapshot of the context's cluster and user,
 * as client-go does in rest.Config. Without the snapshot, an existing client would send the credentials of a
 * context chosen later to its original server.
 *
 * @throws CredentialsError when the user's exec plugin, auth provider or impersonation is incomplete
 */
export function authenticationOf(kubeConfig: KubeConfig): Authentication {
  const cluster = kubeConfig.getCurrentCluster();
  const user = userOf(cluster, kubeConfig.getCurrentUser());
  // The prototype keeps the methods of any class: ours, client-node's, or the program's own.
  const snapshot: KubeConfig = Object.assign(Object.create(kubeConfig), {
    clusters: cluster ? [allowingHttp(cluster)] : [],
    users: user ? [user] : [],
    contexts: kubeConfig.getContexts().map((context) => ({ ...context })),
    currentContext: kubeConfig.getCurrentContext(),
  });
  const credentials = kubeConfig instanceof KubeConfig ? credentialsOf(kubeConfig) : undefined;
  if (credentials) shareCredentials(snapshot, credentials);
  credentials?.check(cluster, user);
  return {
    user,
    applyTo: (options, signal) => snapshot.applyToHTTPSOptions(options, signal),
    refuse: (options) => credentials?.refuse(options),
  };
}

/** client-node's class rejects a server without TLS unless the cluster turns verification off. */
function allowingHttp(cluster: Cluster): Cluster {
  return isPlainHttp(cluster) ? { ...cluster, skipTLSVerify: true } : cluster;
}
