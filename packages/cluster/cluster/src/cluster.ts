import type { KubeConfig } from "@operator-path/client";

/** A place where operators run. Callers need not know which provider it comes from. */
export interface Cluster {
  /**
   * - embedded: our API server, controllers and simulated nodes.
   * - envtest: a real control plane with our nodes.
   * - kind: real Kubernetes in containers on this machine.
   * - existing: the cluster of a kubeconfig context.
   */
  readonly provider: "embedded" | "kind" | "existing" | "envtest";
  readonly name: string;
  /** Absolute path of a kubeconfig whose current context is this cluster, for kubectl, helm or any client. */
  readonly kubeconfigPath: string;
  /** The same, loaded. */
  readonly kubeConfig: KubeConfig;
  /** The namespace of that context. Default: `default`. */
  readonly namespace?: string;
  /**
   * How images get into the cluster. Default: `containerToolPath()` on embedded and envtest, otherwise there
   * is no way.
   */
  readonly images?: ClusterImages;
  /**
   * Stops what was started for the cluster, and removes the kubeconfig that was written. An existing cluster
   * keeps running. May be called twice.
   */
  stop(): Promise<void>;
}

/** How this machine's images get into a cluster. */
export interface ClusterImages {
  /**
   * Absolute path of a program for CONTAINER_TOOL. It accepts docker's `build` and `push`. After a push, the
   * nodes have the image.
   */
  readonly tool: string;
  /** The environment variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Programs that it calls by name: name → absolute path. */
  readonly programs: ReadonlyMap<string, string>;
  /**
   * Whether Pods are containers of these images. If not, they are simulated or processes
   * (docs/local-images.md).
   */
  readonly containers: boolean;
}
