import type { RequestOptions } from "node:https";
import { credentialsOf, isPlainHttp, KubeConfig, shareCredentials, userOf } from "./kube-config.ts";
import type { Cluster, User } from "./kube-config-data.ts";

/** As whom one client asks, and how it knows its server. */
export interface Authentication {
  /** null: as nobody. */
  readonly user: User | null;
  /** Certificates, headers and the like, as `KubeConfig.applyToHTTPSOptions`. @throws CredentialsError */
  applyTo(options: RequestOptions, signal?: AbortSignal): Promise<void>;
  /** The server has answered 401 to what `applyTo` has given: a plugin is asked anew by the next request. */
  refuse(options: RequestOptions): void;
}

/**
 * Cluster and user of the context that is current now (client-go: rest.Config is a copy, too): a client whose server stays
 * the same shows it nobody else's credentials, and trusts it no more, when another context is chosen later.
 *
 * @throws CredentialsError for what the user's exec plugin, auth provider or impersonation lacks
 */
export function authenticationOf(kubeConfig: KubeConfig): Authentication {
  const cluster = kubeConfig.getCurrentCluster();
  const user = userOf(cluster, kubeConfig.getCurrentUser());
  // Whatever its class does, client-node's or somebody's own, it does with what is current now.
  const now: KubeConfig = Object.assign(Object.create(kubeConfig), {
    clusters: cluster ? [allowingHttp(cluster)] : [],
    users: user ? [user] : [],
    contexts: kubeConfig.getContexts().map((context) => ({ ...context })),
    currentContext: kubeConfig.getCurrentContext(),
  });
  const credentials = kubeConfig instanceof KubeConfig ? credentialsOf(kubeConfig) : undefined;
  if (credentials) shareCredentials(now, credentials);
  credentials?.check(cluster, user);
  return {
    user,
    applyTo: (options, signal) => now.applyToHTTPSOptions(options, signal),
    refuse: (options) => credentials?.refuse(options),
  };
}

/** client-node's class rejects a server without TLS unless the cluster turns verification off. */
function allowingHttp(cluster: Cluster): Cluster {
  return isPlainHttp(cluster) ? { ...cluster, skipTLSVerify: true } : cluster;
}
