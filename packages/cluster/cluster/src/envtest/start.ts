import { join, resolve } from "node:path";
import type { PodSecurityLevel } from "@operator-path/apiserver";
import { createKubeletCredentials, type FenceReport, startEgressProxy } from "@operator-path/kubelet";
import { type ControlPlane, findControlPlane } from "@operator-path/tools";
import { recordActivity } from "../activity/record-activity.ts";
import type { Cluster } from "../cluster.ts";
import { startDataPlane } from "../data-plane.ts";
import { type NodePlan, nameNodes } from "../node-plan.ts";
import { type RealControlPlane, startRealControlPlane } from "./control-plane.ts";

export interface EnvtestClusterOptions {
  /** Default `dev`. Nodes are named after it. */
  readonly name?: string;
  /** Folder for the kubeconfig, keys, logs and etcd's data, made if missing. Default: a temporary one, which stop() removes. */
  readonly directory?: string;
  /** Loopback port of kube-apiserver. Default 0: a free one. */
  readonly port?: number;
  /** Default: one control-plane node, on which everything can run. */
  readonly nodes?: readonly NodePlan[];
  /** The Pod Security level that a namespace without a label enforces, kube-system excepted. Default: `privileged`. */
  readonly podSecurity?: PodSecurityLevel;
  /**
   * Folder of a file `cluster.jsonl`, to which what Pods do is appended: `reconcile` records of `ActivityRecord` alone. It must
   * exist. Default: nothing is recorded.
   */
  readonly activity?: string;
  /** Whose controllers run: kube-controller-manager's, or ours. The scheduler is always ours. Default `real`. */
  readonly controllers?: "real" | "ours";
  /** Default: what findControlPlane() finds or builds, without a download. */
  readonly programs?: ControlPlane;
  /** Told what is used, and of what goes wrong, a line each. Default: nobody. */
  readonly log?: (line: string) => void;
}

/** A real control plane with simulated nodes. */
export interface EnvtestCluster extends Cluster {
  readonly provider: "envtest";
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly nodes: readonly NodePlan[];
  /** The sandbox around Pods that run as local processes. */
  fence(): Promise<FenceReport>;
  /** Resolves when etcd or another program of the control plane has ended although nobody stopped it, with words. */
  readonly broken: Promise<string>;
}

/**
 * Starts a real etcd, kube-apiserver and kube-controller-manager, our scheduler and our nodes, and resolves when a Pod can
 * be created. kube-apiserver reaches the nodes through their HTTPS API, and Services and Pods through a proxy of ours.
 *
 * Promised: what startEmbeddedCluster promises, and that the programs end when this process does, also by kill -9. Throws
 * UserError when the port is taken, ToolNotFoundError when a program is nowhere to be had.
 */
export async function startEnvtestCluster(options: EnvtestClusterOptions = {}): Promise<EnvtestCluster> {
  const { name = "dev", port = 0, controllers = "real", log = () => {} } = options;
  const nodes = options.nodes ?? nameNodes(name);
  const real = controllers === "real";
  const programs = options.programs ?? (await findControlPlane({ controllerManager: real, log }));
  await using undo = new AsyncDisposableStack();

  const kubelets = createKubeletCredentials();
  const egress = await startEgressProxy();
  undo.defer(() => egress.stop());
  const server: RealControlPlane = await startRealControlPlane({
    programs: real ? programs : { etcd: programs.etcd, apiserver: programs.apiserver },
    ...(options.directory && { directory: join(resolve(options.directory), "control-plane") }),
    port,
    kubelets,
    egress: egress.configuration,
    podSecurity: options.podSecurity,
  });
  undo.defer(() => server.stop());
  void server.broken.then((words) => log(`the control plane is broken: ${words}`));
  const { kubeconfigPath, fence } = await startDataPlane(
    {
      server,
      nodes,
      directory: options.directory,
      ...(real && { controllers: ["scheduler", "local-path-provisioner"] }),
      kubeletServer: kubelets,
      ...(options.activity !== undefined && { onReconcile: recordActivity(options.activity).onReconcile }),
      clock: undefined,
      log,
    },
    undo,
    (network) => egress.use(network.pods),
  );

  const running = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    provider: "envtest",
    name,
    url: server.url,
    nodes,
    broken: server.broken,
    kubeconfigPath,
    kubeConfig: server.kubeConfig(),
    fence,
    stop() {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}
