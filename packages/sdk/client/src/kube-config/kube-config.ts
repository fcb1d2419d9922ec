import { existsSync, readFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { type Credentials, createCredentials } from "./credentials.ts";
import {
  type Cluster,
  type Context,
  type KubeConfigData,
  kubeConfigText,
  mergeKubeConfigs,
  parseKubeConfig,
  type User,
} from "./kube-config-data.ts";
import { hasServiceAccount, serviceAccount } from "./service-account.ts";

/** A cluster that a program creates. `skipTLSVerify` defaults to false. */
type GivenCluster = Omit<Cluster, "skipTLSVerify"> & Partial<Pick<Cluster, "skipTLSVerify">>;

const credentials = new WeakMap<KubeConfig, Credentials>();

/**
 * A kubeconfig: clusters, users and contexts. It has the methods of client-node's class of that name that
 * find a cluster and authenticate, and `createClient` takes either class. It loads nothing of client-node,
 * which would cost 60 MB of memory and 0.4 s of processor time.
 */
export class KubeConfig implements KubeConfigData {
  clusters: Cluster[] = [];
  users: User[] = [];
  contexts: Context[] = [];
  currentContext = "";

  /** Returns all clusters. */
  getClusters(): Cluster[] {
    return this.clusters;
  }

  /** Returns all users. */
  getUsers(): User[] {
    return this.users;
  }

  /** Returns all contexts. */
  getContexts(): Context[] {
    return this.contexts;
  }

  /** Returns the name of the current context, or "". */
  getCurrentContext(): string {
    return this.currentContext;
  }

  /** Chooses a context by name. Clients that exist already do not change. */
  setCurrentContext(context: string): void {
    this.currentContext = context;
  }

  /** Returns a context by name, or null. */
  getContextObject(name: string): Context | null {
    return this.contexts.find((context) => context.name === name) ?? null;
  }

  /** Returns a cluster by name, or null. */
  getCluster(name: string): Cluster | null {
    return this.clusters.find((cluster) => cluster.name === name) ?? null;
  }

  /** Returns a user by name, or null. */
  getUser(name: string): User | null {
    return this.users.find((user) => user.name === name) ?? null;
  }

  /** Returns the cluster of the current context, or null. */
  getCurrentCluster(): Cluster | null {
    const context = this.getContextObject(this.currentContext);
    return context && this.getCluster(context.cluster);
  }

  /** Returns the user of the current context, or null. */
  getCurrentUser(): User | null {
    const context = this.getContextObject(this.currentContext);
    return context && this.getUser(context.user);
  }

  /**
   * Loads the files in KUBECONFIG, otherwise `~/.kube/config`, otherwise the ServiceAccount of the Pod.
   * Without any of these, the cluster is http://localhost:8080. `loadKubeConfig` throws in that case.
   */
  loadFromDefault(): void {
    const files = (process.env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
    const home = join(homedir(), ".kube", "config");
    if (files.length > 0) this.loadFromOptions(readKubeConfigs(files));
    else if (existsSync(home)) this.loadFromFile(home);
    else if (hasServiceAccount()) this.loadFromOptions(serviceAccount({}));
    else this.loadFromClusterAndUser({ name: "cluster", server: "http://localhost:8080" }, { name: "user" });
  }

  /** Loads a file. Paths in it are relative to its folder. @throws Error when it cannot be read */
  loadFromFile(file: string): void {
    this.loadFromOptions(readKubeConfig(file));
  }

  /** Loads YAML or JSON. @throws Error that names the entry and the missing field */
  loadFromString(text: string): void {
    this.loadFromOptions(parseKubeConfig(text));
  }

  /** Replaces everything with these clusters, users and contexts. */
  loadFromOptions(options: Omit<KubeConfigData, "clusters"> & { clusters: GivenCluster[] }): void {
    const { clusters, users, contexts, currentContext } = options;
    this.clusters = clusters.map((cluster) => ({ skipTLSVerify: false, ...cluster }));
    Object.assign(this, { users, contexts, currentContext });
  }

  /** Replaces everything with one cluster and one user, and a context for the two. */
  loadFromClusterAndUser(cluster: GivenCluster, user: User): void {
    const name = "loaded-context";
    this.loadFromOptions({
      clusters: [cluster],
      users: [user],
      contexts: [{ name, cluster: cluster.name, user: user.name }],
      currentContext: name,
    });
  }

  /**
   * Sets the certificates and headers of the current context in the options of a request. Reads files again
   * when they have changed. Runs the user's plugin when its credential has expired.
   *
   * @param signal cancels the plugin, unless another request waits for it too
   * @throws CredentialsError when a plugin or provider returns no credentials
   */
  async applyToHTTPSOptions(options: RequestOptions, signal?: AbortSignal): Promise<void> {
    const cluster = this.getCurrentCluster();
    const user = userOf(cluster, this.getCurrentUser());
    const waiting = credentialsOf(this).applyTo(options, cluster, user, signal);
    if (waiting) await waiting;
  }

  /** Returns the kubeconfig as the text of a file. It contains the users' secrets. */
  exportConfig(): string {
    return kubeConfigText(this);
  }
}

/** Returns the credentials of a KubeConfig. All its clients share them, so a plugin runs once for all. */
export function credentialsOf(kubeConfig: KubeConfig): Credentials {
  let own = credentials.get(kubeConfig);
  if (!own) {
    own = createCredentials();
    credentials.set(kubeConfig, own);
  }
  return own;
}

/** Makes `kubeConfig` share the credentials of another KubeConfig. */
export function shareCredentials(kubeConfig: KubeConfig, own: Credentials): void {
  credentials.set(kubeConfig, own);
}

/**
 * Returns the user, or null for a server with plain HTTP, where the network could read the user's token. No
 * plugin runs for such a server either (clientcmd: ClientConfig).
 */
export function userOf(cluster: Cluster | null, user: User | null): User | null {
  return cluster && isPlainHttp(cluster) ? null : user;
}

/** Returns whether requests to the cluster use no TLS, as with `kubectl proxy`. */
export function isPlainHttp({ server }: Cluster): boolean {
  return URL.parse(server)?.protocol === "http:";
}

/** Merges files as kubectl does: the first value counts, and missing files are skipped. */
function readKubeConfigs(files: readonly string[]): KubeConfigData {
  const existing = files.filter((file) => existsSync(file));
  // If all are missing, read the first: its error names the file.
  return mergeKubeConfigs((existing.length > 0 ? existing : files.slice(0, 1)).map(readKubeConfig));
}

function readKubeConfig(file: string): KubeConfigData {
  return parseKubeConfig(readFileSync(file, "utf8"), dirname(resolve(file)));
}
