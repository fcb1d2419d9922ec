import type { PodSecurityLevel } from "@operator-path/apiserver";
import type { ControlPlane } from "@operator-path/tools";
import type { NodePlan } from "../node-plan.ts";

/** What the parent tells the child over IPC, once. All of it is plain JSON. */
export interface StartOrder {
  readonly name: string;
  readonly directory: string;
  readonly port: number;
  readonly nodes: readonly NodePlan[];
  /** The Pod Security level that a namespace without a label enforces, kube-system excepted. Default: `privileged`. */
  readonly podSecurity?: PodSecurityLevel;
  /** Folder for the record of what clients and Pods do. */
  readonly activity?: string;
  /** Runs a real control plane instead of ours. */
  readonly envtest?: EnvtestOrder;
  /**
   * true: the IPC channel is the child's lifeline, it stops when the channel closes, however its parent died.
   * false: once it is ready the child stays when its parent goes, and is found through the state file.
   */
  readonly lifeline: boolean;
}

/** A real control plane: its programs were found, perhaps built, where somebody could see the progress. */
export interface EnvtestOrder {
  readonly programs: ControlPlane;
  readonly controllers: "real" | "ours";
}

/** What the child answers, once. */
export type StartAnswer =
  | { readonly type: "ready"; readonly kubeconfigPath: string; readonly url: string }
  /** A cluster of this name is there, or is just being started, by another process. */
  | { readonly type: "taken" }
  /** `expected`: a UserError; its message is enough. */
  | { readonly type: "failed"; readonly message: string; readonly expected: boolean };
