import type { RequestOptions } from "node:https";
import { authProvider } from "./auth-provider.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { createCredentialFiles } from "./credential-files.ts";
import { execConfig, execExtension } from "./exec-config.ts";
import type { ExecCluster } from "./exec-credential.ts";
import { createExecPlugin } from "./exec-plugin.ts";
import { impersonationOf } from "./impersonation.ts";
import type { Cluster, User } from "./kube-config-data.ts";

/** Authenticates requests, and sets the certificates that verify the server. */
export interface Credentials {
  /**
   * Sets certificates, tokens and passwords in the options. Returns a promise only if a plugin or provider
   * must be asked.
   *
   * @param signal cancels the plugin, unless another request waits for it too
   * @throws CredentialsError when a plugin or provider returns no credentials
   */
  applyTo(
    options: RequestOptions,
    cluster: Cluster | null,
    user: User | null,
    signal?: AbortSignal,
  ): Promise<void> | void;
  /**
   * Validates a user's plugin, provider and impersonation without running anything.
   *
   * @throws CredentialsError
   */
  check(cluster: Cluster | null, user: User | null): void;
  /** Call it when the server answers 401 to a request with these options. A plugin is then asked again. */
  refuse(options: RequestOptions): void;
}

export function createCredentials(): Credentials {
  const { bytesOf, tokenOf, pairOf } = createCredentialFiles();
  const applied = new WeakMap<RequestOptions, { source: CredentialSource; credential: Credential }>();
  const sources = new WeakMap<User, Map<Cluster | null, CredentialSource>>();

  /** Returns the source of a user and cluster. It is created once, because it caches its credential. */
  function sourceOf(cluster: Cluster | null, user: User): CredentialSource {
    const ofUser = sources.get(user) ?? new Map<Cluster | null, CredentialSource>();
    sources.set(user, ofUser);
    let source = ofUser.get(cluster);
    if (!source) {
      source = user.exec
        ? createExecPlugin(execConfig(user.name, user.exec), { cluster: () => execCluster(cluster) })
        : authProvider(user.name, user.authProvider);
      ofUser.set(cluster, source);
    }
    return source;
  }

  function execCluster(cluster: Cluster | null): ExecCluster {
    const ca = bytesOf(cluster?.caFile, cluster?.caData);
    return {
      server: cluster?.server ?? "",
      ...(cluster?.tlsServerName && { "tls-server-name": cluster.tlsServerName }),
      ...(cluster?.skipTLSVerify && { "insecure-skip-tls-verify": true }),
      ...(ca && { "certificate-authority-data": ca.toString("base64") }),
      ...(cluster?.proxyUrl && { "proxy-url": cluster.proxyUrl }),
      config: cluster?.extensions?.find(({ name }) => name === execExtension)?.extension ?? null,
    };
  }

  function apply(options: RequestOptions, source: CredentialSource, credential: Credential): void {
    const { token, cert, key } = credential;
    if (cert) Object.assign(options, { cert, key });
    if (token) addHeaders(options, bearer(token));
    applied.set(options, { source, credential });
  }

  return {
    applyTo(options, cluster, user, signal) {
      if (cluster?.skipTLSVerify) options.rejectUnauthorized = false;
      if (cluster?.tlsServerName) options.servername = cluster.tlsServerName;
      const ca = bytesOf(cluster?.caFile, cluster?.caData);
      if (ca) options.ca = ca;
      if (!user) return;
      const { cert, key } = pairOf(user);
      if (cert) options.cert = cert;
      if (key) options.key = key;
      const impersonation = impersonationOf(user);
      if (impersonation) addHeaders(options, impersonation);
      if (user.username) options.auth = `${user.username}:${user.password ?? ""}`;
      const tokenFile = tokenFileOf(user);
      if (tokenFile) addHeaders(options, bearer(tokenOf(user, tokenFile)));
      else if (user.token) addHeaders(options, bearer(user.token));
      else if (needsSource(user)) {
        const source = sourceOf(cluster, user);
        const credential = source.get(signal);
        if (!(credential instanceof Promise)) return apply(options, source, credential);
        return credential.then((fetched) => apply(options, source, fetched));
      }
    },
    check(cluster, user) {
      if (!user) return;
      impersonationOf(user);
      if (needsSource(user)) sourceOf(cluster, user);
    },
    refuse(options) {
      const { source, credential } = applied.get(options) ?? {};
      if (source && credential) source.refuse(credential);
    },
  };
}

/**
 * Whether a plugin or provider must be asked. As in client-go, it is not if the user has other credentials.
 */
function needsSource(user: User): boolean {
  if (user.token || user.username || tokenFileOf(user)) return false;
  if (!user.exec) return Boolean(user.authProvider);
  return !((user.certFile || user.certData) && (user.keyFile || user.keyData));
}

function tokenFileOf(user: User): string | undefined {
  return user.authProvider?.config?.tokenFile as string | undefined;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function addHeaders(options: RequestOptions, headers: object): void {
  options.headers = { ...(options.headers as object | undefined), ...headers } as Record<string, string>;
}
