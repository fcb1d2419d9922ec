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

/** A cluster that is made by hand need not say that its certificate is to be verified. */
type GivenCluster = Omit<Cluster, "skipTLSVerify"> & Partial<Pick<Cluster, "skipTLSVerify">>;

const credentials = new WeakMap<KubeConfig, Credentials>();

/**
 * A kubeconfig: which clusters there are, and as whom they are asked. The part of client-node's class of that name that
 * finds a cluster and authenticates, under the same names; `createClient` takes either. Nothing of client-node is loaded:
 * all of it is 60 MB of memory and 0.4 s of a processor.
 */
export class KubeConfig implements KubeConfigData {
  clusters: Cluster[] = [];
  users: User[] = [];
  contexts: Context[] = [];
  currentContext = "";

  getClusters(): Cluster[] {
    return this.clusters;
  }

  getUsers(): User[] {
    return this.users;
  }

  getContexts(): Context[] {
    return this.contexts;
  }

  getCurrentContext(): string {
    return this.currentContext;
  }

  setCurrentContext(context: string): void {
    this.currentContext = context;
  }

  getContextObject(name: string): Context | null {
    return this.contexts.find((context) => context.name === name) ?? null;
  }

  getCluster(name: string): Cluster | null {
    return this.clusters.find((cluster) => cluster.name === name) ?? null;
  }

  getUser(name: string): User | null {
    return this.users.find((user) => user.name === name) ?? null;
  }

  getCurrentCluster(): Cluster | null {
    const context = this.getContextObject(this.currentContext);
    return context && this.getCluster(context.cluster);
  }

  getCurrentUser(): User | null {
    const context = this.getContextObject(this.currentContext);
    return context && this.getUser(context.user);
  }

  /** The files of KUBECONFIG, else `~/.kube/config`; in a Pod, its ServiceAccount; else http://localhost:8080. */
  loadFromDefault(): void {
    const files = (process.env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
    const home = join(homedir(), ".kube", "config");
    if (files.length > 0) this.loadFromOptions(readKubeConfigs(files));
    else if (existsSync(home)) this.loadFromFile(home);
    else if (hasServiceAccount()) this.loadFromOptions(serviceAccount({}));
    else this.loadFromClusterAndUser({ name: "cluster", server: "http://localhost:8080" }, { name: "user" });
  }

  /** Paths in it are relative to its folder. @throws Error when it cannot be read */
  loadFromFile(file: string): void {
    this.loadFromOptions(readKubeConfig(file));
  }

  loadFromString(text: string): void {
    this.loadFromOptions(parseKubeConfig(text));
  }

  loadFromOptions(options: Omit<KubeConfigData, "clusters"> & { clusters: GivenCluster[] }): void {
    const { clusters, users, contexts, currentContext } = options;
    this.clusters = clusters.map((cluster) => ({ skipTLSVerify: false, ...cluster }));
    Object.assign(this, { users, contexts, currentContext });
  }

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
   * Certificates, headers and the like of the current context; files are read again when they have changed, and a plugin
   * is asked when what it has answered no longer counts.
   *
   * @param signal ends a plugin that is asked for this, when nobody else waits for it
   * @throws CredentialsError when a plugin or a provider has none to give
   */
  async applyToHTTPSOptions(options: RequestOptions, signal?: AbortSignal): Promise<void> {
    const cluster = this.getCurrentCluster();
    const user = userOf(cluster, this.getCurrentUser());
    const waiting = credentialsOf(this).applyTo(options, cluster, user, signal);
    if (waiting) await waiting;
  }

  /** As the text of a file, which holds the user's secrets. */
  exportConfig(): string {
    return kubeConfigText(this);
  }
}

/** One a KubeConfig: its clients share what plugins have answered. */
export function credentialsOf(kubeConfig: KubeConfig): Credentials {
  let own = credentials.get(kubeConfig);
  if (!own) {
    own = createCredentials();
    credentials.set(kubeConfig, own);
  }
  return own;
}

/** `kubeConfig` has what another one's plugins have answered, and they what its own answer. */
export function shareCredentials(kubeConfig: KubeConfig, own: Credentials): void {
  credentials.set(kubeConfig, own);
}

/** Nobody over plain HTTP, where anybody could read the user's token: no plugin is run for it either (clientcmd: ClientConfig). */
export function userOf(cluster: Cluster | null, user: User | null): User | null {
  return cluster && isPlainHttp(cluster) ? null : user;
}

/** Whether requests to the cluster go without TLS, as to `kubectl proxy`. */
export function isPlainHttp({ server }: Cluster): boolean {
  return URL.parse(server)?.protocol === "http:";
}

/** As kubectl: the first one that says something counts, and one of several that is not there says nothing. */
function readKubeConfigs(files: readonly string[]): KubeConfigData {
  const there = files.filter((file) => existsSync(file));
  // None is there: the error names the first.
  return mergeKubeConfigs((there.length > 0 ? there : files.slice(0, 1)).map(readKubeConfig));
}

function readKubeConfig(file: string): KubeConfigData {
  return parseKubeConfig(readFileSync(file, "utf8"), dirname(resolve(file)));
}
