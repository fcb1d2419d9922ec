import type { RequestOptions } from "node:https";
import { credentialsOf, KubeConfig, userOf } from "./kube-config.ts";
import type { User } from "./kube-config-data.ts";

/** As whom one client asks, and how it knows its server. */
export interface Authentication {
  /** null: as nobody. */
  readonly user: User | null;
  /** Certificates, headers and the like, as `KubeConfig.applyToHTTPSOptions`. @throws CredentialsError */
  applyTo(options: RequestOptions, signal?: AbortSignal): Promise<void> | void;
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
  if (kubeConfig instanceof KubeConfig) {
    const credentials = credentialsOf(kubeConfig);
    credentials.check(cluster, user);
    return {
      user,
      applyTo: (options, signal) => credentials.applyTo(options, cluster, user, signal),
      refuse: (options) => credentials.refuse(options),
    };
  }
  // client-node's has authenticators of its own, and asks itself for the current context: it is asked as it is now.
  const { clusters, contexts, currentContext } = kubeConfig as KubeConfig;
  const users = user ? [user] : [];
  const now: KubeConfig = Object.assign(Object.create(kubeConfig), {
    ...{ clusters, users, contexts, currentContext },
  });
  return { user, applyTo: (options) => now.applyToHTTPSOptions(options), refuse() {} };
}
