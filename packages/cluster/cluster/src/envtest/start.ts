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
  /** Default: `dev`. Nodes are named after it. */
  readonly name?: string;
  /**
   * Folder for the kubeconfig, keys, logs and etcd's data, created if missing. Default: a temporary one,
   * which stop() removes.
   */
  readonly directory?: string;
  /** Loopback port of kube-apiserver. Default 0: a free port. */
  readonly port?: number;
  /** Default: one control-plane node that runs everything. */
  readonly nodes?: readonly NodePlan[];
  /**
   * The Pod Security level that a namespace without a label enforces, except kube-system. Default:
   * `privileged`.
   */
  readonly podSecurity?: PodSecurityLevel;
  /**
   * An existing folder. Reconciles of Pods are appended to its file `cluster.jsonl`, as `reconcile` records
   * of `ActivityRecord`. Default: nothing is recorded.
   */
  readonly activity?: string;
  /**
   * `real` runs kube-controller-manager, `ours` our controllers. The scheduler is always ours. Default:
   * `real`.
   */
  readonly controllers?: "real" | "ours";
  /** Default: the result of findControlPlane(), without a download. */
  readonly programs?: ControlPlane;
  /** Receives one line for each program that is used, and for each problem. Default: lines are dropped. */
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
  /** Resolves with a message if a program of the control plane ends before stop(). */
  readonly broken: Promise<string>;
}

/**
 * Starts a real etcd, kube-apiserver and kube-controller-manager, with our scheduler and nodes. Resolves when
 * a Pod can be created. kube-apiserver reaches the nodes through their HTTPS API, and Services and Pods
 * through our proxy.
 *
 * Promises the same as startEmbeddedCluster. The programs end with this process, even after kill -9.
 *
 * @throws UserError if the port is taken, ToolNotFoundError if a program cannot be found or built
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
