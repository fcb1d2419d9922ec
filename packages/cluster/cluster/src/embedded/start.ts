import { type PodSecurityLevel, startApiServer } from "@operator-path/apiserver";
import { type Clock, systemClock } from "@operator-path/client";
import type { ClusterNetwork, FenceChoice, FenceReport } from "@operator-path/kubelet";
import { recordActivity } from "../activity/record-activity.ts";
import type { Cluster } from "../cluster.ts";
import { startDataPlane } from "../data-plane.ts";
import { type ClusterFaults, createClusterFaults } from "../faults/cluster-faults.ts";
import { type NodePlan, nameNodes } from "../node-plan.ts";
import { portTaken } from "./port-taken.ts";

export interface EmbeddedClusterOptions {
  /** Default: `dev`. Nodes are named after it. */
  readonly name?: string;
  /** Folder for the kubeconfig, created if missing. Default: a temporary one, which stop() removes. */
  readonly directory?: string;
  /** Loopback port of the API server. Default 0: a free port. */
  readonly port?: number;
  /** Default: one control-plane node that runs everything. */
  readonly nodes?: readonly NodePlan[];
  /**
   * The Pod Security level that a namespace without a label enforces, except kube-system. Default:
   * `privileged`.
   */
  readonly podSecurity?: PodSecurityLevel;
  /**
   * An existing folder. What clients and Pods do is appended to its file `cluster.jsonl`: see
   * `ActivityRecord`. Default: nothing is recorded.
   */
  readonly activity?: string;
  /**
   * The sandbox for Pods that run as processes. Default: the value of OPERATOR_PATH_FENCE, or the best that
   * this machine offers.
   */
  readonly fence?: FenceChoice;
  readonly clock?: Clock;
  /**
   * Receives one line for each problem of the API server, a controller or a node. Default: lines are dropped.
   */
  readonly log?: (line: string) => void;
}

/** An embedded cluster in this process. */
export interface EmbeddedCluster extends Cluster {
  readonly provider: "embedded";
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly nodes: readonly NodePlan[];
  /** Faults that its operators notice. */
  readonly faults: ClusterFaults;
  /** The sandbox around Pods that run as local processes. */
  fence(): Promise<FenceReport>;
}

/**
 * Starts an API server, the controllers and simulated nodes in this process. Resolves when a Pod can be
 * created.
 *
 * Listens only on one TLS port on 127.0.0.1, and on loopback for Services of type NodePort and LoadBalancer.
 * The kubeconfig has mode 0600. `stop()` frees the port, all timers and sockets, and removes the kubeconfig.
 * All state is in memory and lost with `stop()`. A start that fails halfway stops what was started.
 *
 * @throws UserError if the port is taken
 */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
  const { name = "dev", port = 0, clock, log = () => {} } = options;
  const nodes = options.nodes ?? nameNodes(name);
  await using undo = new AsyncDisposableStack();

  const activity = options.activity === undefined ? undefined : recordActivity(options.activity);
  const faults = createClusterFaults(() => (clock ?? systemClock).now());

  // Requests during startup are no operator's, and not recorded.
  let ready = false;

  // The API server reaches Services through the network, which in turn needs a client of the API server.
  let network: ClusterNetwork | undefined;
  const server = await startApiServer({
    port,
    clock,
    podSecurity: options.podSecurity,
    onRequest(request) {
      if (!ready) return;
      faults.onRequest(request);
      activity?.onRequest(request);
    },
    refuses: (request, access) => ready && faults.refuses(request, access),
    resolveService: async (...service) => begun(network).resolveService(...service),
    dialService: async (...service) => begun(network).dialService(...service),
    log: (line) => log(`apiserver: ${line}`),
  }).catch(async (error: unknown) => {
    throw await portTaken(error, port);
  });
  undo.defer(() => server.stop());
  const { directory, fence } = options;
  const onReconcile = activity?.onReconcile;
  const plane = await startDataPlane(
    { server, nodes, directory, fence, onReconcile, clock, log },
    undo,
    (started) => {
      network = started;
    },
  );
  const connections = new Map(plane.kubelets.map(({ nodeName, connection }) => [nodeName, connection]));
  server.connectNode((nodeName) => connections.get(nodeName));

  ready = true;
  const running = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    provider: "embedded",
    name,
    url: server.url,
    nodes,
    faults,
    kubeconfigPath: plane.kubeconfigPath,
    kubeConfig: server.kubeConfig(),
    fence: plane.fence,
    stop() {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

/** @throws Error while the cluster is starting */
function begun(network: ClusterNetwork | undefined): ClusterNetwork {
  if (network === undefined) throw new Error("the cluster's network is still starting");
  return network;
}
