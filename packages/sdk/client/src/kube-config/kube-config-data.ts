import { isAbsolute, join, sep } from "node:path";
import { load } from "js-yaml";

/** A cluster, with the fields of client-node's `Cluster`. Data is base64; paths are absolute. */
export interface Cluster {
  readonly name: string;
  /** The URL of the API server. */
  readonly server: string;
  readonly caData?: string;
  caFile?: string;
  /** The name that the server's certificate must have. Default: the host of `server`. */
  readonly tlsServerName?: string;
  readonly skipTLSVerify: boolean;
  readonly proxyUrl?: string;
  /** Data for other programs, such as exec plugins, as in the file. */
  readonly extensions?: readonly { readonly name?: unknown; readonly extension?: unknown }[];
}

/** A user, with the fields of client-node's `User`. */
export interface User {
  readonly name: string;
  readonly certData?: string;
  certFile?: string;
  readonly keyData?: string;
  keyFile?: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  /** An exec plugin, as in the file. */
  readonly exec?: unknown;
  /** An auth provider, as in the file. */
  readonly authProvider?: { readonly name?: unknown; readonly config?: Readonly<Record<string, unknown>> };
  readonly impersonateUser?: string;
  readonly impersonateGroups?: readonly string[];
  readonly impersonateUid?: string;
  readonly impersonateUserExtra?: Readonly<Record<string, readonly string[]>>;
}

/** A context, with the fields of client-node's `Context`. */
export interface Context {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
}

/** The content of a kubeconfig, with client-node's names. */
export interface KubeConfigData {
  clusters: Cluster[];
  users: User[];
  contexts: Context[];
  currentContext: string;
}

/** A mapping in a kubeconfig. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses YAML or JSON (client-go: clientcmd.Load).
 *
 * @param folder resolves relative paths (client-go: ResolveLocalPaths). Default: paths stay unchanged
 * @throws Error that names the entry and the missing field
 */
export function parseKubeConfig(text: string, folder?: string): KubeConfigData {
  const parsed: unknown = load(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Error("not a kubeconfig (expected a mapping with clusters, users and contexts)");
  }
  const config = parsed as Fields;
  const absolute = (path: unknown) =>
    typeof path !== "string" || path === "" || folder === undefined || isAbsolute(path)
      ? (path as string | undefined)
      : join(folder, path);
  return {
    clusters: entries(config, "clusters", "cluster").map(({ name, own }) => ({
      name,
      server: required(own.server, `the cluster ${JSON.stringify(name)} has no server`).replace(/\/$/, ""),
      skipTLSVerify: own["insecure-skip-tls-verify"] === true,
      ...optional("caData", own["certificate-authority-data"] as string),
      ...optional("caFile", absolute(own["certificate-authority"])),
      ...optional("tlsServerName", own["tls-server-name"] as string),
      ...optional("proxyUrl", own["proxy-url"] as string),
      ...optional("extensions", Array.isArray(own.extensions) ? (own.extensions as object[]) : undefined),
    })),
    users: entries(config, "users", "user").map(({ name, own }) => ({
      name,
      ...optional("certData", own["client-certificate-data"] as string),
      ...optional("certFile", absolute(own["client-certificate"])),
      ...optional("keyData", own["client-key-data"] as string),
      ...optional("keyFile", absolute(own["client-key"])),
      ...optional("token", own.token as string),
      ...optional("username", own.username as string),
      ...optional("password", own.password as string),
      ...optional("impersonateUser", own.as as string),
      ...optional("impersonateGroups", own["as-groups"] as string[]),
      ...optional("impersonateUid", own["as-uid"] as string),
      ...optional("impersonateUserExtra", own["as-user-extra"] as Record<string, string[]>),
      ...optional("exec", resolvedExec(own.exec, absolute)),
      ...optional(
        "authProvider",
        own["auth-provider"] ?? tokenFileProvider(absolute(own.tokenFile ?? own["token-file"])),
      ),
    })),
    contexts: entries(config, "contexts", "context").map(({ name, own }) => ({
      name,
      cluster: required(own.cluster, `the context ${JSON.stringify(name)} has no cluster`),
      user: (own.user ?? "") as string,
      ...optional("namespace", own.namespace as string),
    })),
    currentContext: (config["current-context"] ?? "") as string,
  };
}

/**
 * Returns client-node's in-memory form of a `tokenFile`. In a file it is `tokenFile`, as in client-go's
 * AuthInfo.
 */
export function tokenFileProvider(tokenFile: string | undefined) {
  return tokenFile ? { name: "tokenFile", config: { tokenFile } } : undefined;
}

/** Merges kubeconfigs as kubectl does: for each name, and for the current context, the first value counts. */
export function mergeKubeConfigs(all: readonly KubeConfigData[]): KubeConfigData {
  const firstOf = <T extends { name: string }>(list: readonly T[]): T[] =>
    [...new Map(list.toReversed().map((each) => [each.name, each])).values()].reverse();
  return {
    clusters: firstOf(all.flatMap(({ clusters }) => clusters)),
    users: firstOf(all.flatMap(({ users }) => users)),
    contexts: firstOf(all.flatMap(({ contexts }) => contexts)),
    currentContext: all.find(({ currentContext }) => currentContext !== "")?.currentContext ?? "",
  };
}

/** Returns the kubeconfig as JSON, which is also YAML. */
export function kubeConfigText({ clusters, users, contexts, currentContext }: KubeConfigData): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: clusters.map(({ name, ...own }) => ({
      name,
      cluster: {
        server: own.server,
        "certificate-authority-data": own.caData,
        "certificate-authority": own.caFile,
        "insecure-skip-tls-verify": own.skipTLSVerify,
        "tls-server-name": own.tlsServerName,
        "proxy-url": own.proxyUrl,
        extensions: own.extensions,
      },
    })),
    users: users.map(({ name, ...own }) => ({
      name,
      user: {
        as: own.impersonateUser,
        "as-groups": own.impersonateGroups,
        "as-uid": own.impersonateUid,
        "as-user-extra": own.impersonateUserExtra,
        ...userOf(own.authProvider),
        "client-certificate-data": own.certData,
        "client-certificate": own.certFile,
        exec: own.exec,
        "client-key-data": own.keyData,
        "client-key": own.keyFile,
        token: own.token,
        password: own.password,
        username: own.username,
      },
    })),
    contexts: contexts.map(({ name, ...context }) => ({ name, context })),
    preferences: {},
    "current-context": currentContext,
  });
}

/**
 * Returns the fields of an auth provider. kubectl and helm do not know client-node's provider "tokenFile".
 */
function userOf(provider: KubeConfigData["users"][number]["authProvider"]) {
  if (provider?.name !== "tokenFile") return { "auth-provider": provider };
  return { tokenFile: provider.config?.tokenFile };
}

/**
 * Resolves a command with a slash. Other commands are found on the PATH (client-go:
 * GetAuthInfoFileReferences).
 */
function resolvedExec(exec: unknown, absolute: (path: unknown) => string | undefined): unknown {
  const { command } = (exec ?? {}) as { command?: unknown };
  const isPath = typeof command === "string" && (command.includes("/") || command.includes(sep));
  return isPath ? { ...(exec as object), command: absolute(command) } : exec;
}

function entries(config: Fields, list: string, part: string): { name: string; own: Fields }[] {
  const items = config[list];
  if (!Array.isArray(items)) return [];
  return items.map((item: Fields | null, index) => {
    const own = item?.[part];
    // A user may have only a name.
    if (part !== "user" && (typeof own !== "object" || own === null)) {
      throw new Error(`${list}[${index}] has no ${part}`);
    }
    return { name: required(item?.name, `${list}[${index}] has no name`), own: (own ?? {}) as Fields };
  });
}

function required(value: unknown, otherwise: string): string {
  if (typeof value !== "string" || value === "") throw new Error(otherwise);
  return value;
}

/**
 * Returns an object with one field, or `{}` if the value is missing, so that no key has the value undefined.
 */
function optional<Name extends string, T>(name: Name, value: T): { [N in Name]?: NonNullable<T> } {
  return (value === undefined || value === null ? {} : { [name]: value }) as { [N in Name]?: NonNullable<T> };
}
