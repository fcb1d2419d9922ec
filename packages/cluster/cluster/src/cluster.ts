import type { KubeConfig } from "@operator-path/client";

/** A place where operators run. Every provider gives one; whoever holds it need not know which. */
export interface Cluster {
  /** embedded: our API server, controllers and simulated nodes. envtest: a real control plane with our nodes. The others come later. */
  readonly provider: "embedded" | "kind" | "existing" | "envtest";
  readonly name: string;
  /** Absolute path of a kubeconfig whose current context is this cluster: for kubectl, helm, any client. */
  readonly kubeconfigPath: string;
  /** The same, loaded. */
  readonly kubeConfig: KubeConfig;
  /**
   * Lets go of the cluster: what was started for it ends, the kubeconfig that was written for it is removed. Can be
   * called twice. A cluster that was there before (existing) goes on.
   */
  stop(): Promise<void>;
}
