import type { KubeConfig } from "@operator-path/client";

interface User {
  readonly name: string;
  readonly user: { readonly "auth-provider"?: { readonly name: string; readonly config?: JsonConfig } };
}
type JsonConfig = { readonly tokenFile?: string };

/** A kubeconfig as helm reads it: a token in a file is called `tokenFile` there, and no auth provider. */
export function kubeConfigText(kubeConfig: KubeConfig): string {
  const config = JSON.parse(kubeConfig.exportConfig()) as { users: User[] };
  return JSON.stringify({ ...config, users: config.users.map(withTokenFile) });
}

function withTokenFile(entry: User): object {
  const { "auth-provider": provider, ...rest } = entry.user;
  if (provider?.name !== "tokenFile") return entry;
  return { ...entry, user: { ...rest, tokenFile: provider.config?.tokenFile } };
}
