import { kubernetesVersions } from "./kubernetes-versions.ts";

/** The tools that operator-path finds. */
export type ToolName = "kubectl" | "helm" | "kind";

/** The programs of a real control plane. */
export type ControlPlaneProgram = "etcd" | "kube-apiserver" | "kube-controller-manager";

/** Everything that can be found, built or downloaded here. */
export type ProgramName = ToolName | ControlPlaneProgram;

/** What a tool must be, and what is fetched when nothing fits. */
export interface ToolRequirement {
  /** semver range that a found tool must satisfy; prereleases and build suffixes (`-gke.1`) of a fitting version fit. */
  readonly range: string;
  /** The range in words, for messages. */
  readonly words: string;
  /** The official release that is downloaded, after consent. */
  readonly release: string;
  /** Where a person reads how to install it. */
  readonly manual: string;
}

const { kubernetes, etcd } = kubernetesVersions;
const minor = Number(kubernetes.split(".")[1]);
/** The minor version's own patches and prereleases. */
const sameMinor = { range: `>=1.${minor}.0-0 <1.${minor + 1}.0-0`, words: `1.${minor}` };

/**
 * Every tool's version. kubectl is supported within one minor version of its API server
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
  // 0.32 is the first that published a node image of Kubernetes 1.36.
  kind: {
    range: ">=0.32.0-0 <1.0.0-0",
    words: "0.32 or newer",
    release: kubernetesVersions.kind,
    manual: "https://kind.sigs.k8s.io/docs/user/quick-start/#installation",
  },
};

/**
 * The image that the nodes of a kind cluster run: of the images published with the release of kind above, the one of this
 * house's Kubernetes (kind's own default is a newer one).
 */
export const kindNodeImage = kubernetesVersions.kindNodeImage;

/**
 * The real control plane that the embedded one is compared with. A patch version is as good as another, but answers are
 * recorded from `release`. etcd is the version that kube-apiserver's own module requires.
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

/** What a program must be, whichever it is. */
export function requirementOf(name: ProgramName): ToolRequirement {
  return { ...toolRequirements, ...controlPlaneRequirements }[name];
}
