import type { KubeConfig } from "@operator-path/client";

/** A place where operators run. Every provider gives one; whoever holds it need not know which. */
export interface Cluster {
  /**
   * embedded: our API server, controllers and simulated nodes. envtest: a real control plane with our nodes. kind: real
   * Kubernetes in containers of this machine. existing: whatever a context of a kubeconfig leads to.
   */
  readonly provider: "embedded" | "kind" | "existing" | "envtest";
  readonly name: string;
  /** Absolute path of a kubeconfig whose current context is this cluster: for kubectl, helm, any client. */
  readonly kubeconfigPath: string;
  /** The same, loaded. */
  readonly kubeConfig: KubeConfig;
  /** The namespace of that context. Default: `default`. */
  readonly namespace?: string;
  /** How images get there. Default: by `containerToolPath()` on embedded and envtest, elsewhere not at all. */
  readonly images?: ClusterImages;
  /**
   * Lets go of the cluster: what was started for it ends, the kubeconfig that was written for it is removed. Can be
   * called twice. A cluster that was there before (existing) goes on.
   */
  stop(): Promise<void>;
}

/** How images that this machine has, or builds, get into a cluster. */
export interface ClusterImages {
  /** Absolute path of a program for CONTAINER_TOOL: it takes docker's `build` and `push`, and after a push the nodes have the image. */
  readonly tool: string;
  /** What it needs of the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Programs that it calls by name: name → absolute path. */
  readonly programs: ReadonlyMap<string, string>;
  /** Whether Pods are containers of such images. Not so: they are simulated, or processes (docs/local-images.md). */
  readonly containers: boolean;
}
