import { kubernetesVersions } from "./kubernetes-versions.ts";

/** The tools that operator-path finds. */
export type ToolName = "kubectl" | "helm" | "kind";

/** The programs of a real control plane. */
export type ControlPlaneProgram = "etcd" | "kube-apiserver" | "kube-controller-manager";

/** Every program that can be found, built or downloaded. */
export type ProgramName = ToolName | ControlPlaneProgram;

/** The required version of a tool, and the release that is used when none is found. */
export interface ToolRequirement {
  /**
   * The semver range of suitable versions. Prereleases and build suffixes (`-gke.1`) of a suitable version
   * are accepted.
   */
  readonly range: string;
  /** The range in words, for messages. */
  readonly words: string;
  /** The official release that is downloaded, after consent. */
  readonly release: string;
  /** URL of the installation instructions. */
  readonly manual: string;
}

const { kubernetes, etcd } = kubernetesVersions;
const minor = Number(kubernetes.split(".")[1]);
/** All patches and prereleases of the minor version. */
const sameMinor = { range: `>=1.${minor}.0-0 <1.${minor + 1}.0-0`, words: `1.${minor}` };

/**
 * The version of each tool. kubectl is supported within one minor version of its API server
 * (https://kubernetes.io/releases/version-skew-policy/).
 */
export const toolRequirements: Readonly<Record<ToolName, ToolRequirement>> = {
  kubectl: {
    range: `>=1.${minor - 1}.0-0 <1.${minor + 2}.0-0`,
    words: `1.${minor - 1} to 1.${minor + 1}`,
    release: kubernetes,
    manual: "https://kubernetes.io/docs/tasks/tools/",
  },
  helm: {
    range: ">=4.0.0-0 <5.0.0-0",
    words: "4",
    release: "4.2.3",
    manual: "https://helm.sh/docs/intro/install/",
  },
  // 0.32 is the first release with a node image of Kubernetes 1.36.
  kind: {
    range: ">=0.32.0-0 <1.0.0-0",
    words: "0.32 or newer",
    release: kubernetesVersions.kind,
    manual: "https://kind.sigs.k8s.io/docs/user/quick-start/#installation",
  },
};

/**
 * The node image of kind clusters. Of the images published with the kind release above, it has the
 * repository's Kubernetes version. kind's own default is newer.
 */
export const kindNodeImage = kubernetesVersions.kindNodeImage;

/**
 * The real control plane with which the embedded one is compared. Any patch version is suitable, but recorded
 * answers come from `release`. etcd is the version that kube-apiserver's module requires.
 */
export const controlPlaneRequirements: Readonly<Record<ControlPlaneProgram, ToolRequirement>> = {
  etcd: {
    range: ">=3.5.0-0 <4.0.0-0",
    words: "3.5 or newer",
    release: etcd,
    manual: `https://etcd.io/docs/v${etcd.split(".", 2).join(".")}/install/`,
  },
  "kube-apiserver": {
    ...sameMinor,
    release: kubernetes,
    manual: "https://book.kubebuilder.io/reference/envtest",
  },
  "kube-controller-manager": {
    ...sameMinor,
    release: kubernetes,
    manual: "https://kubernetes.io/releases/download/",
  },
};

/** Returns the requirement of any program. */
export function requirementOf(name: ProgramName): ToolRequirement {
  return { ...toolRequirements, ...controlPlaneRequirements }[name];
}
