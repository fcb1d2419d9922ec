import type { NodeConnection } from "@operator-path/apiserver";
import { type Client, type Clock, type Pod, pods, services, systemClock } from "@operator-path/client";
import { createEventRecorder, createSharedInformer, unwrapTombstone } from "@operator-path/informers";
import { createImageCatalog, type ImageCatalog } from "./images/catalog.ts";
import { defaultImages } from "./images/default-images.ts";
import { createImageManager } from "./images/image-manager.ts";
import { createAddressRange } from "./network/address-range.ts";
import { createPodNetwork, type PodNetwork } from "./network/pod-network.ts";
import { heartbeat, registerNode } from "./node/register.ts";
import { isRunning } from "./pod/container-slot.ts";
import type { NodeContext } from "./pod/pod-context.ts";
import { type PodWorker, startPodWorker } from "./pod/pod-worker.ts";
import { withLocalImages } from "./process/local-image.ts";
import type { ProcessHost } from "./process/process-host.ts";
import { randomId } from "./runtime/container.ts";
import { createKubeletApi } from "./server/kubelet-api.ts";
import { createLocalApi, type KubeletCredentials, startKubeletServer } from "./server/kubelet-server.ts";
import { createNodeConnection } from "./server/node-connection.ts";
import { createPersistentVolumes } from "./volumes/persistent-volumes.ts";

export interface KubeletOptions {
  /** A client with an administrator's permissions. */
  client: Client;
  /** Name of the Node object. */
  nodeName: string;
  /**
   * Labels the Node as a control plane. Default false. The Node has no taint, because it is often the only
   * one.
   */
  controlPlane?: boolean;
  /**
   * The node's number in its cluster, from 0. Its Pods get addresses in 10.244.N.0/24, the Node gets
   * 172.18.0.(N+2). Default 0.
   */
  nodeIndex?: number;
  /** More labels for the Node. Default: none. */
  labels?: Record<string, string>;
  /** The simulated images that the node can run. Default: the images of this package. */
  images?: ImageCatalog;
  /** Runs Pods of local images as processes of this machine. Default: the node has no local images. */
  processes?: ProcessHost;
  /**
   * The network that the nodes of a cluster share, so that their Pods reach one another. Default: a new one.
   */
  network?: PodNetwork;
  /**
   * Serves the kubelet's HTTPS API on a free port of 127.0.0.1, for a kube-apiserver in another process. That
   * server must present the client certificate (`createKubeletCredentials`). Default: the API is served
   * through `connection` only.
   */
  server?: KubeletCredentials;
  /** Default: the system clock. */
  clock?: Clock;
  /** Returns 0 ≤ n < 1, for container IDs and pull times. Default Math.random. */
  random?: () => number;
  /** Receives one message per failure that the kubelet retries. Default: messages are dropped. */
  log?: (message: string) => void;
}

export interface Kubelet {
  readonly nodeName: string;
  /** Serves logs, exec, attach and port-forward to the API server. */
  readonly connection: NodeConnection;
  /**
   * Stops the node as a power failure does: containers end, and the Pods' objects stay unchanged. Resolves
   * when no timer and no request is left.
   */
  stop(): Promise<void>;
}

/**
 * Starts a simulated node: registers its Node, then runs the Pods that are bound to it (spec.nodeName).
 * Resolves when the Node is ready.
 *
 * Pods, their statuses and their Events go through the states of a real kubelet and use its messages. The
 * kubelet does not account for resources. Volumes need no disk, and simulated containers never touch the
 * host.
 */
export async function startKubelet(options: KubeletOptions): Promise<Kubelet> {
  const {
    client,
    nodeName,
    nodeIndex = 0,
    clock = systemClock,
    random = Math.random,
    log = () => {},
  } = options;
  const stopping = new AbortController();
  const nodeIP = `172.18.0.${nodeIndex + 2}`;
  const podCIDR = `10.244.${nodeIndex}.0/24`;
  const simulated = options.images ?? createImageCatalog(defaultImages);
  const images = createImageManager({
    catalog: options.processes ? withLocalImages(simulated, options.processes) : simulated,
    clock,
    random,
  });
  const recorder = createEventRecorder(client, { component: "kubelet", host: nodeName, clock, log });
  const id = randomId(random);
  const machineId = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`;
  const server = options.server && (await startKubeletServer(options.server));
  const describe = () => ({
    apiPort: server?.port,
    nodeName,
    controlPlane: options.controlPlane ?? false,
    labels: options.labels ?? {},
    nodeIP,
    podCIDR,
    machineId,
    images: images.list(),
  });
  const serviceInformer = createSharedInformer(client, services, { clock, log });
  const context: NodeContext = {
    client,
    clock,
    random,
    recorder,
    images,
    network: options.network ?? createPodNetwork(),
    addresses: createAddressRange(podCIDR),
    ...(options.processes ? { shareVolumes: options.processes.shareVolumes } : {}),
    services: () => serviceInformer.lister.list(),
    persistentVolumes: createPersistentVolumes(client),
    nodeName,
    nodeIP,
    log,
  };

  const readySince = clock.now();
  const uid = await registerNode(client, describe, readySince).catch(async (error: unknown) => {
    await server?.stop();
    throw error;
  });
  const workers = new Map<string, PodWorker>();
  const informer = createSharedInformer(client, pods, {
    fieldSelector: `spec.nodeName=${nodeName}`,
    clock,
    log,
  });
  const updateWorker = (pod: Pod) => {
    const key = pod.metadata?.uid ?? "";
    const worker = workers.get(key);
    if (worker) return worker.update(pod);
    const started = startPodWorker(context, pod, stopping.signal);
    workers.set(key, started);
    started.done
      .catch((error: unknown) =>
        log(`pod ${pod.metadata?.namespace}/${pod.metadata?.name}: its worker failed: ${error}`),
      )
      .finally(() => workers.delete(key));
  };
  informer.addEventHandler({
    added: updateWorker,
    updated: (_old, pod) => updateWorker(pod),
    deleted(last) {
      workers.get(unwrapTombstone(last)?.metadata?.uid ?? "")?.removed();
    },
  });
  const running = [
    serviceInformer.run(stopping.signal),
    heartbeat({ client, describe, uid, clock, readySince, recorder, log, signal: stopping.signal }),
  ];
  // A container's environment lists the Services known when it started, so the Services must be listed first.
  await serviceInformer.waitForSync(stopping.signal);
  running.push(informer.run(stopping.signal));
  await informer.waitForSync(stopping.signal);

  const find = (namespace: string, name: string) =>
    [...workers.values()].find(
      ({ pod }) => pod.metadata?.namespace === namespace && pod.metadata.name === name,
    );
  const connection = createNodeConnection(find, context.network, clock);
  const api = createKubeletApi({
    connection,
    pods: () => [...workers.values()].map(({ pod }) => pod),
    isRunning(namespace, name, container) {
      const worker = find(namespace, name);
      const slot = worker?.slot(container);
      return worker && slot !== undefined && isRunning(slot);
    },
  });
  server?.serve(api);

  return {
    nodeName,
    connection: { ...connection, api: createLocalApi(api) },
    async stop() {
      stopping.abort();
      await server?.stop();
      await Promise.all([...running, ...[...workers.values()].map(({ done }) => done)]);
      await recorder.flush();
    },
  };
}
