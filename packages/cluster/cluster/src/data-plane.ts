import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type Client,
  type Clock,
  createClient,
  defineResource,
  isAlreadyExists,
  type KubeConfig,
  type KubeObject,
  nodes as nodeResource,
  nodes,
  type StorageClass,
  serviceAccounts,
  type WatchEvent,
} from "@operator-path/client";
import { type ControllerName, startControllerManager } from "@operator-path/controller-manager";
import {
  type ClusterNetwork,
  createProcessHost,
  type FenceChoice,
  type FenceReport,
  HostError,
  type Kubelet,
  type KubeletOptions,
  type OnReconcile,
  startClusterNetwork,
  startKubelet,
} from "@operator-path/kubelet";
import { type ImageStore, openImageStore } from "@operator-path/kubelet/local-images";
import { parse, stringify } from "yaml";
import { imagesExtension } from "./container-tool/path.ts";
import { fenceChoice } from "./fence.ts";
import { type NodePlan, type Taint, taintsOf } from "./node-plan.ts";
import { writePrivateFile } from "./private-file.ts";
import { UserError } from "./user-error.ts";

/** The part of an API server that the data plane needs. It may be ours or a real one. */
interface ReachableServer {
  /** On 127.0.0.1. */
  readonly port: number;
  /** In PEM. */
  readonly caCertificate: string;
  kubeConfig(): KubeConfig;
  kubeconfigYaml(): string;
}

interface DataPlaneOptions {
  readonly server: ReachableServer;
  readonly nodes: readonly NodePlan[];
  /** Folder for the kubeconfig, images and Pods' files, created if missing. Default: a temporary one. */
  readonly directory: string | undefined;
  /** Which of our controllers run. Default: all. */
  readonly controllers?: ControllerName[];
  /** Gives the nodes an HTTPS API, through which a real API server reaches them. Default: none. */
  readonly kubeletServer?: KubeletOptions["server"];
  /** Called with each key that a work queue in a Pod hands out. */
  readonly onReconcile?: OnReconcile | undefined;
  /** Default: the value of OPERATOR_PATH_FENCE, or the best that this machine offers. */
  readonly fence?: FenceChoice | undefined;
  readonly clock: Clock | undefined;
  readonly log: (line: string) => void;
}

/** Everything of a cluster except its API server. */
interface DataPlane {
  readonly kubelets: readonly Kubelet[];
  readonly network: ClusterNetwork;
  /**
   * Returns the sandbox around Pods that run as local processes. Determined on the first call.
   *
   * @throws UserError
   */
  fence(): Promise<FenceReport>;
  /** Absolute path. */
  readonly kubeconfigPath: string;
}

/**
 * Starts controllers, the network of Pods and Services, and simulated nodes beside an API server, and writes
 * the kubeconfig. Resolves when a Pod can be created. Whatever was started is on `undo`, even after a failure
 * halfway. `begun` receives the network as soon as it exists.
 */
export async function startDataPlane(
  options: DataPlaneOptions,
  undo: AsyncDisposableStack,
  begun: (network: ClusterNetwork) => void = () => {},
): Promise<DataPlane> {
  const { server, nodes, clock, log } = options;
  const kubeConfig = server.kubeConfig();
  const clientFor = (component: string): Client => openClient(kubeConfig, component, undo);
  const controllers = startControllerManager({
    client: clientFor("kube-controller-manager"),
    caCertificate: server.caCertificate,
    ...(options.controllers && { controllers: options.controllers }),
    clock,
    log: (line) => log(`controller-manager: ${line}`),
  });
  undo.defer(() => controllers.stop());

  const folder = await clusterFolder(options.directory, undo);
  const images = imageStoreOf(folder);
  // The images belong to the cluster, and are removed with it.
  undo.defer(() => rm(images.folder, { recursive: true, force: true, maxRetries: 5 }));
  const processes = createProcessHost({
    images,
    folder: join(folder, "pods"),
    apiServer: { host: "127.0.0.1", port: server.port },
    ...(options.onReconcile && { onReconcile: options.onReconcile }),
    fence: options.fence ?? fenceChoice(process.env),
    findTool: async (name) => (await (await import("@operator-path/tools")).findTool(name)).path,
  });
  undo.defer(() => processes.stop());

  const network = await startClusterNetwork({
    client: clientFor("kube-proxy"),
    apiServerPort: server.port,
    clock,
    log: (line) => log(`network: ${line}`),
  });
  undo.defer(() => network.stop());
  begun(network);
  const kubelets = await Promise.all(
    nodes.map(async (node, nodeIndex) => {
      const kubelet = await startKubelet({
        client: clientFor("kubelet"),
        nodeName: node.name,
        nodeIndex,
        controlPlane: node.role === "control-plane",
        labels: node.labels,
        network: network.pods,
        processes,
        ...(options.kubeletServer && { server: options.kubeletServer }),
        clock,
        log: (line) => log(`${node.name}: ${line}`),
      });
      undo.defer(() => kubelet.stop());
      return kubelet;
    }),
  );

  const client = clientFor("operator-path");
  await Promise.all(nodes.map((node) => taint(client, node.name, taintsOf(node, nodes))));
  const names = nodes.map((node) => node.name);
  await Promise.all([installStorageClass(client), untilReady(client, names)]);
  const kubeconfigPath = await writeKubeconfig(nameImageStore(server.kubeconfigYaml(), images), folder, undo);
  const fence = async () => {
    try {
      return (await processes.boundary()).report;
    } catch (error) {
      if (error instanceof HostError) throw new UserError(error.message, { cause: error });
      throw error;
    }
  };
  return { kubelets, network, fence, kubeconfigPath };
}

/**
 * Taints a node as kubeadm does, after the kubelet has registered it. A strategic merge keeps other taints.
 */
async function taint(client: Client, nodeName: string, taints: readonly Taint[]): Promise<void> {
  if (taints.length === 0) return;
  await client.resource(nodeResource).patch(nodeName, { spec: { taints } }, { type: "strategic" });
}

function openClient(kubeConfig: KubeConfig, component: string, undo: AsyncDisposableStack): Client {
  // Endpoints are deprecated but still needed, and a learner cannot act on that warning.
  const client = createClient(kubeConfig, { userAgent: component, onWarning: () => {} });
  undo.defer(() => client.close());
  return client;
}

/** Returns an absolute path. A temporary folder is removed at the end. */
async function clusterFolder(directory: string | undefined, undo: AsyncDisposableStack): Promise<string> {
  const folder = resolve(directory ?? (await mkdtemp(join(tmpdir(), "operator-path-"))));
  if (directory === undefined) undo.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function writeKubeconfig(yaml: string, folder: string, undo: AsyncDisposableStack): Promise<string> {
  const path = join(folder, "kubeconfig");
  undo.defer(() => rm(path, { force: true }));
  await writePrivateFile(path, yaml);
  return path;
}

/**
 * Resolves when a Pod can be created and scheduled: every node of `names` is Ready, and the namespace default
 * has its ServiceAccount. Throws after `timeoutMs`, with what is missing.
 */
async function untilReady(client: Client, names: readonly string[], timeoutMs = 120_000): Promise<void> {
  const waiting = new Set([...names.map((name) => `node ${name}`), "ServiceAccount default/default"]);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await Promise.all([
      untilNodesReady(client, waiting, signal),
      untilServiceAccount(client, waiting, signal),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`the cluster is not ready after ${timeoutMs / 1000} s: no ${[...waiting].join(", no ")}`);
  }
}

async function untilNodesReady(client: Client, waiting: Set<string>, signal: AbortSignal): Promise<void> {
  for await (const node of appearing(client.resource(nodes).watch({ signal }))) {
    const ready = node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
    if (ready) waiting.delete(`node ${node.metadata?.name}`);
    if (![...waiting].some((what) => what.startsWith("node "))) return;
  }
  signal.throwIfAborted();
  return untilNodesReady(client, waiting, signal);
}

async function untilServiceAccount(client: Client, waiting: Set<string>, signal: AbortSignal): Promise<void> {
  const accounts = client.resource(serviceAccounts).namespace("default");
  for await (const account of appearing(accounts.watch({ fieldSelector: "metadata.name=default", signal }))) {
    waiting.delete(`ServiceAccount default/${account.metadata?.name}`);
    return;
  }
  signal.throwIfAborted();
  return untilServiceAccount(client, waiting, signal);
}

/** A watch without a resourceVersion begins with the existing objects, so nothing is missed in between. */
async function* appearing<T extends KubeObject>(events: AsyncIterable<WatchEvent<T>>): AsyncGenerator<T> {
  for await (const event of events) {
    if (event.type === "ADDED" || event.type === "MODIFIED") yield event.object;
  }
}

/** Opens the image store in a cluster's folder. Creates nothing before container-tool adds an image. */
function imageStoreOf(clusterFolder: string): ImageStore {
  return openImageStore(join(clusterFolder, "images"));
}

/**
 * Adds the image folder to a kubeconfig, as an extension of its cluster. Clients ignore it and copies keep
 * it, and container-tool finds its cluster by it.
 */
function nameImageStore(kubeconfigYaml: string, { folder }: ImageStore): string {
  const document = parse(kubeconfigYaml) as { clusters: { cluster: Record<string, unknown> }[] };
  for (const { cluster } of document.clusters) {
    cluster.extensions = [{ name: imagesExtension, extension: { folder } }];
  }
  return stringify(document, { lineWidth: 0 });
}

const storageClasses = defineResource<StorageClass>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
});

/** Creates the default StorageClass, as in kind clusters. The local-path provisioner serves it. */
async function installStorageClass(client: Client): Promise<void> {
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  await client
    .resource(storageClasses)
    .create({
      metadata: { name: "standard", annotations },
      provisioner: "rancher.io/local-path",
      reclaimPolicy: "Delete",
      volumeBindingMode: "WaitForFirstConsumer",
    })
    .catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
}
