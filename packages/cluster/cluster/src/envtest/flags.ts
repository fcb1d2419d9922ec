// Paths are relative to the control plane's folder, in which the programs run: a socket's path may have 108 bytes only.

const etcdSocket = "unix://etcd:1";
const peerSocket = "unix://etcd:2";

/** Durability is not wanted: the data goes with the cluster. */
export const etcdFlags: readonly string[] = [
  "--name=envtest",
  "--data-dir=etcd-data",
  "--unsafe-no-fsync",
  "--log-level=error",
  `--listen-client-urls=${etcdSocket}`,
  `--advertise-client-urls=${etcdSocket}`,
  `--listen-peer-urls=${peerSocket}`,
  `--initial-advertise-peer-urls=${peerSocket}`,
  `--initial-cluster=envtest=${peerSocket}`,
];

/** kube-apiserver as kubeadm sets it up, as far as it matters to clients. */
export function apiserverFlags(port: number, kubelets: boolean): string[] {
  return [
    `--etcd-servers=${etcdSocket}`,
    `--secure-port=${port}`,
    "--bind-address=127.0.0.1",
    // Of the Service kubernetes; a loopback address is refused there. TEST-NET-1: nobody is asked.
    "--advertise-address=192.0.2.1",
    "--tls-cert-file=apiserver.crt",
    "--tls-private-key-file=apiserver.key",
    "--cert-dir=certificates",
    "--token-auth-file=tokens.csv",
    "--authorization-mode=Node,RBAC",
    "--service-account-key-file=service-accounts.key",
    "--service-account-signing-key-file=service-accounts.key",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    "--service-cluster-ip-range=10.96.0.0/16",
    "--allow-privileged=true",
    "--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
    "--profiling=false",
    ...(kubelets
      ? [
          "--kubelet-certificate-authority=kubelet-ca.crt",
          "--kubelet-client-certificate=kubelet-client.crt",
          "--kubelet-client-key=kubelet-client.key",
          "--kubelet-preferred-address-types=InternalDNS",
        ]
      : []),
  ];
}

export const controllerManagerFlags: readonly string[] = [
  "--kubeconfig=controller-manager.kubeconfig",
  "--service-account-private-key-file=service-accounts.key",
  "--root-ca-file=ca.crt",
  "--use-service-account-credentials=false",
  "--leader-elect=false",
  "--secure-port=0",
  "--cert-dir=certificates",
  // Simulated nodes have their Pods' addresses already.
  "--allocate-node-cidrs=false",
  "--profiling=false",
];
