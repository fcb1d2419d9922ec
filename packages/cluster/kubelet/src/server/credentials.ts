import { createAuthority, type KeyPair } from "@operator-path/apiserver";

/** What the kubelets of a cluster and its API server know each other by. All PEM. */
export interface KubeletCredentials {
  /** kube-apiserver's --kubelet-certificate-authority. */
  caCertificate: string;
  /** --kubelet-client-certificate: who shows it may run commands in every Pod. */
  clientCertificate: string;
  /** --kubelet-client-key. */
  clientKey: string;
  /** Of the nodes themselves. */
  serving: KeyPair;
}

/**
 * Makes an authority of its own for the connection between API server and kubelets, and one certificate for each side. No
 * other certificate will ever be signed by it: its key is forgotten here.
 */
export function createKubeletCredentials(now = new Date()): KubeletCredentials {
  const authority = createAuthority("operator-path-kubelet-ca", now);
  const client = authority.issueClient("kube-apiserver-kubelet-client");
  return {
    caCertificate: authority.certificate,
    clientCertificate: client.certificate,
    clientKey: client.privateKey,
    serving: authority.issueServing("kubelet", ["localhost", "127.0.0.1"]),
  };
}
