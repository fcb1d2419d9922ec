import { readFileSync, statSync } from "node:fs";
import type { RequestOptions } from "node:https";
import type { KubeConfig as ClientNodeKubeConfig, Cluster, User } from "@kubernetes/client-node";
import type { KubeConfigData } from "./kube-config-data.ts";

/** Puts what authenticates a request, and the server, into its options. */
export interface Credentials {
  /** Does without a wait what needs none: certificates, tokens, passwords. */
  applyTo(options: RequestOptions, cluster: Cluster | null, user: User | null): Promise<void> | void;
}

/** Files are read again when they have changed, so rotated tokens and certificates are used. */
export function createCredentials(config: () => KubeConfigData): Credentials {
  const files = new Map<string, { stamp: string; bytes: Buffer }>();
  const decoded = new Map<string, Buffer>();
  let plugins: { user: User; kubeConfig: Promise<ClientNodeKubeConfig> } | undefined;

  function read(file: string): Buffer {
    const { mtimeMs, size, ino } = statSync(file);
    const stamp = `${mtimeMs} ${size} ${ino}`;
    const known = files.get(file);
    if (known?.stamp === stamp) return known.bytes;
    const bytes = readFileSync(file);
    files.set(file, { stamp, bytes });
    return bytes;
  }

  /** The same Buffer each time, so that connections see that nothing has changed. */
  function bytesOf(file: string | undefined, data: string | undefined): Buffer | undefined {
    if (file) return read(file);
    if (!data) return undefined;
    let bytes = decoded.get(data);
    if (!bytes) {
      bytes = Buffer.from(data, "base64");
      decoded.set(data, bytes);
    }
    return bytes;
  }

  /** exec and auth-provider plugins are client-node's, which is loaded when somebody has one. */
  async function byPlugin(options: RequestOptions, user: User): Promise<void> {
    if (plugins?.user !== user) {
      const kubeConfig = import("./client-node.ts").then(({ KubeConfig }) => {
        const made = new KubeConfig();
        made.loadFromOptions(config());
        return made;
      });
      plugins = { user, kubeConfig };
    }
    const own: RequestOptions = {};
    await (await plugins.kubeConfig).applyToHTTPSOptions(own);
    const { cert, key, headers } = own;
    if (cert) options.cert = cert;
    if (key) options.key = key;
    addHeaders(options, headers ?? {});
  }

  return {
    applyTo(options, cluster, user) {
      if (cluster?.skipTLSVerify) options.rejectUnauthorized = false;
      if (cluster?.tlsServerName) options.servername = cluster.tlsServerName;
      const ca = bytesOf(cluster?.caFile, cluster?.caData);
      if (ca) options.ca = ca;
      if (!user) return;
      const cert = bytesOf(user.certFile, user.certData);
      if (cert) options.cert = cert;
      const key = bytesOf(user.keyFile, user.keyData);
      if (key) options.key = key;
      if (user.impersonateUser) addHeaders(options, { "Impersonate-User": user.impersonateUser });
      if (user.username) options.auth = `${user.username}:${user.password ?? ""}`;
      const tokenFile: string | undefined = user.authProvider?.config?.tokenFile;
      if (user.token) addHeaders(options, bearer(user.token));
      else if (tokenFile) addHeaders(options, bearer(read(tokenFile).toString("utf8").trim()));
      else if (user.exec || user.authProvider) return byPlugin(options, user);
    },
  };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function addHeaders(options: RequestOptions, headers: object): void {
  options.headers = { ...(options.headers as object | undefined), ...headers } as Record<string, string>;
}
