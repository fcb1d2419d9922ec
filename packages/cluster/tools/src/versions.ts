/** The tools that operator-path finds. */
export type ToolName = "kubectl" | "helm";

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

/**
 * Every tool's version, in this one place. kubectl is supported within one minor version of its API server
 * (https://kubernetes.io/releases/version-skew-policy/), and the clusters of this house serve 1.36.
 */
export const toolRequirements: Readonly<Record<ToolName, ToolRequirement>> = {
  kubectl: {
    range: ">=1.35.0-0 <1.38.0-0",
    words: "1.35 to 1.37",
    release: "1.36.3",
    manual: "https://kubernetes.io/docs/tasks/tools/",
  },
  helm: {
    range: ">=4.0.0-0 <5.0.0-0",
    words: "4",
    release: "4.2.3",
    manual: "https://helm.sh/docs/intro/install/",
  },
};
