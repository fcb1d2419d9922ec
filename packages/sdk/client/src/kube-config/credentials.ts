import type { RequestOptions } from "node:https";
import { authProvider } from "./auth-provider.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { createCredentialFiles } from "./credential-files.ts";
import { execConfig, execExtension } from "./exec-config.ts";
import type { ExecCluster } from "./exec-credential.ts";
import { createExecPlugin } from "./exec-plugin.ts";
import { impersonationOf } from "./impersonation.ts";
import type { Cluster, User } from "./kube-config-data.ts";

/** Puts what authenticates a request, and the server, into its options. */
export interface Credentials {
  /**
   * Does without a wait what needs none: certificates, tokens, passwords.
   *
   * @param signal ends what is started for it, when nobody else waits for that
   * @throws CredentialsError when a plugin or a provider has none to give
   */
  applyTo(
    options: RequestOptions,
    cluster: Cluster | null,
    user: User | null,
    signal?: AbortSignal,
  ): Promise<void> | void;
  /** Says what is wrong with a user's plugin, provider or impersonation before it is asked. @throws CredentialsError */
  check(cluster: Cluster | null, user: User | null): void;
  /** The server has answered 401 to a request with these options: the next one gets other credentials, if a plugin has them. */
  refuse(options: RequestOptions): void;
}

export function createCredentials(): Credentials {
  const { bytesOf, tokenOf, pairOf } = createCredentialFiles();
  const given = new WeakMap<RequestOptions, { source: CredentialSource; credential: Credential }>();
  const sources = new WeakMap<User, Map<Cluster | null, CredentialSource>>();

  /** One a user and cluster: it keeps what it was answered. */
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

  function hand(options: RequestOptions, source: CredentialSource, credential: Credential): void {
    const { token, cert, key } = credential;
    if (cert) Object.assign(options, { cert, key });
    if (token) addHeaders(options, bearer(token));
    given.set(options, { source, credential });
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
        if (!(credential instanceof Promise)) return hand(options, source, credential);
        return credential.then((late) => hand(options, source, late));
      }
    },
    check(cluster, user) {
      if (!user) return;
      impersonationOf(user);
      if (needsSource(user)) sourceOf(cluster, user);
    },
    refuse(options) {
      const { source, credential } = given.get(options) ?? {};
      if (source && credential) source.refuse(credential);
    },
  };
}

/** A plugin is not asked for a user who authenticates without it, as with client-go. */
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
