import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import {
  type Client,
  type Clock,
  createClient,
  type KubeConfig,
  nodes as nodeResource,
} from "@operator-path/client";
import { startControllerManager } from "@operator-path/controller-manager";
import { createPodNetwork, startKubelet } from "@operator-path/kubelet";
import type { Cluster } from "../cluster.ts";
import { type NodePlan, nameNodes, type Taint, taintsOf } from "../node-plan.ts";
import { writePrivateFile } from "../private-file.ts";
import { portTaken } from "./port-taken.ts";
import { untilReady } from "./ready.ts";

export interface EmbeddedClusterOptions {
  /** Default `dev`. Nodes are named after it. */
  readonly name?: string;
  /** Folder for the kubeconfig, made if missing. Default: a temporary one, which stop() removes. */
  readonly directory?: string;
  /** Loopback port of the API server. Default 0: a free one. */
  readonly port?: number;
  /** Default: one control-plane node, on which everything can run. */
  readonly nodes?: readonly NodePlan[];
  readonly clock?: Clock;
  /** Told of what goes wrong in the API server, a controller or a node, a line each. Default: nobody. */
  readonly log?: (line: string) => void;
}

/** An embedded cluster in this process. */
export interface EmbeddedCluster extends Cluster {
  readonly provider: "embedded";
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly nodes: readonly NodePlan[];
}

/**
 * Starts an API server, the controllers and simulated nodes in this process, and resolves when a Pod can be created.
 *
 * Promised: nothing listens but one TLS port on 127.0.0.1; the kubeconfig has mode 0600; `stop()` frees the port,
 * every timer and socket, and removes the kubeconfig; when it fails halfway, what was started is stopped. Not
 * promised: that anything outlives `stop()`, all state is in memory. Throws UserError when the port is taken.
 */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
  const { name = "dev", port = 0, clock, log = () => {} } = options;
  const nodes = options.nodes ?? nameNodes(name);
  await using undo = new AsyncDisposableStack();

  const server = await startApiServer({ port, clock, log: (line) => log(`apiserver: ${line}`) }).catch(
    async (error: unknown) => {
      throw await portTaken(error, port);
    },
  );
  undo.defer(() => server.stop());
  const kubeConfig = server.kubeConfig();

  const clientFor = (component: string): Client => openClient(kubeConfig, component, undo);
  const controllers = startControllerManager({
    client: clientFor("kube-controller-manager"),
    caCertificate: server.caCertificate,
    clock,
    log: (line) => log(`controller-manager: ${line}`),
  });
  undo.defer(() => controllers.stop());

  const network = createPodNetwork();
  const kubelets = await Promise.all(
    nodes.map(async (node, nodeIndex) => {
      const kubelet = await startKubelet({
        client: clientFor("kubelet"),
        nodeName: node.name,
        nodeIndex,
        controlPlane: node.role === "control-plane",
        labels: node.labels,
        network,
        clock,
        log: (line) => log(`${node.name}: ${line}`),
      });
      undo.defer(() => kubelet.stop());
      return kubelet;
    }),
  );
  const connections = new Map(kubelets.map(({ nodeName, connection }) => [nodeName, connection]));
  server.connectNode((nodeName) => connections.get(nodeName));

  const client = clientFor("operator-path");
  await Promise.all(nodes.map((node) => taint(client, node.name, taintsOf(node, nodes))));
  await untilReady(
    client,
    nodes.map((node) => node.name),
  );
  const kubeconfigPath = await writeKubeconfig(server.kubeconfigYaml(), options.directory, undo);

  const running = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    provider: "embedded",
    name,
    url: server.url,
    nodes,
    kubeconfigPath,
    kubeConfig,
    stop() {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

/** As kubeadm does it, once the kubelet has registered its Node; strategic merge keeps taints of others. */
async function taint(client: Client, nodeName: string, taints: readonly Taint[]): Promise<void> {
  if (taints.length === 0) return;
  await client.resource(nodeResource).patch(nodeName, { spec: { taints } }, { type: "strategic" });
}

function openClient(kubeConfig: KubeConfig, component: string, undo: AsyncDisposableStack): Client {
  const client = createClient(kubeConfig, { userAgent: component });
  undo.defer(() => client.close());
  return client;
}

async function writeKubeconfig(
  yaml: string,
  directory: string | undefined,
  undo: AsyncDisposableStack,
): Promise<string> {
  const folder = directory ?? (await mkdtemp(join(tmpdir(), "operator-path-")));
  if (directory === undefined) undo.defer(() => rm(folder, { recursive: true, force: true }));
  const path = resolve(folder, "kubeconfig");
  undo.defer(() => rm(path, { force: true }));
  await writePrivateFile(path, yaml);
  return path;
}
