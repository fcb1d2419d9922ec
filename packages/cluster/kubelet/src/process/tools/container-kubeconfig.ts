import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { KubeConfig } from "@operator-path/client";
import { Refusal, type ToolPaths } from "./tool-paths.ts";

/**
 * Copies a kubeconfig of a container for a tool on the host. The copy has the host's paths and no programs.
 * @param path absolute, in the container
 * @param folder the host's folder for the copy
 * @returns the copy's path. undefined: the file does not exist
 * @throws Refusal when it is not a kubeconfig, or names a program
 */
export function copyKubeconfig(path: string, folder: string, { toHost }: ToolPaths): string | undefined {
  const source = toHost(path);
  if (!existsSync(source)) return undefined;
  const config = new KubeConfig();
  try {
    config.loadFromString(readFileSync(source, "utf8"));
  } catch (error) {
    throw new Refusal(`${path}: ${(error as Error).message}`);
  }
  const file = (name: string | undefined) => name && toHost(posix.resolve(dirname(path), name));
  const users = config.users.map(({ name, ...user }) => {
    const { tokenFile } = (user.authProvider?.config ?? {}) as { tokenFile?: string };
    if (user.exec || (user.authProvider && !tokenFile)) {
      throw new Refusal(
        `${path}: the user ${name} gets credentials from a program, and a Pod that is a process of this machine may not start one`,
      );
    }
    const entry = {
      token: user.token,
      tokenFile: file(tokenFile),
      "client-certificate": file(user.certFile),
      "client-certificate-data": user.certData,
      "client-key": file(user.keyFile),
      "client-key-data": user.keyData,
      username: user.username,
      password: user.password,
      as: user.impersonateUser,
      "as-groups": user.impersonateGroups,
      "as-uid": user.impersonateUid,
      "as-user-extra": user.impersonateUserExtra,
    };
    return { name, user: entry };
  });
  const clusters = config.clusters.map(({ name, ...cluster }) => {
    const entry = {
      server: cluster.server,
      "certificate-authority": file(cluster.caFile),
      "certificate-authority-data": cluster.caData,
      "insecure-skip-tls-verify": cluster.skipTLSVerify,
      "tls-server-name": cluster.tlsServerName,
      "proxy-url": cluster.proxyUrl,
    };
    return { name, cluster: entry };
  });
  const contexts = config.contexts.map(({ name, ...context }) => ({ name, context }));
  // JSON is valid YAML.
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters,
    users,
    contexts,
    "current-context": config.currentContext,
  });
  // Named by a hash of the content, so that an operator that runs for months has few copies.
  const copy = join(folder, `kubeconfig-${createHash("sha256").update(text).digest("hex").slice(0, 32)}`);
  if (!existsSync(copy)) {
    writeFileSync(`${copy}.new`, text, { mode: 0o600 });
    renameSync(`${copy}.new`, copy);
  }
  return copy;
}
