import { KubeConfig } from "@operator-path/client";

/** The address and the credentials of a server. */
export interface ServerAccess {
  url: string;
  /** PEM. */
  caCertificate: string;
  token: string;
}

const name = "operator-path";

/** Returns a kubeconfig with the administrator's token. A user who can read it has all permissions. */
export function kubeConfigOf({ url, caCertificate, token }: ServerAccess): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name, server: url, caData: base64(caCertificate), skipTLSVerify: false }],
    users: [{ name, token }],
    contexts: [{ name, cluster: name, user: name }],
    currentContext: name,
  });
  return config;
}

/** Returns the same kubeconfig as the text of a file. */
export function kubeconfigYaml({ url, caCertificate, token }: ServerAccess): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster:
    server: ${url}
    certificate-authority-data: ${base64(caCertificate)}
users:
- name: ${name}
  user:
    token: ${token}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
current-context: ${name}
`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
