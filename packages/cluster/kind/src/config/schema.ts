/** kind's v1alpha4, as in https://kind.sigs.k8s.io/docs/user/configuration/. */
export interface KindClusterConfig {
  readonly kind: "Cluster";
  readonly apiVersion: "kind.x-k8s.io/v1alpha4";
  readonly name?: string;
  readonly nodes?: readonly KindNode[];
  readonly kubeadmConfigPatches?: readonly string[];
  readonly containerdConfigPatches?: readonly string[];
}

export interface KindNode {
  readonly role?: "control-plane" | "worker";
  readonly image?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
