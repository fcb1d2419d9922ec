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
  client: Client;
  nodeName: string;
  /** Labels the Node as a control plane. Default false. It is not tainted: it is often the only node. */
  controlPlane?: boolean;
  /** Number of the node in its cluster, from 0: its Pods are in 10.244.N.0/24, its own address is 172.18.0.(N+2). Default 0. */
  nodeIndex?: number;
  /** Further labels of the Node. */
  labels?: Record<string, string>;
  /** Images that can be run. Default: those of this package. */
  images?: ImageCatalog;
  /** Runs Pods of images that a person built, as processes of this machine. Default: there are none. */
  processes?: ProcessHost;
  /** Shared by the nodes of a cluster, so that Pods reach each other. Default: one of its own. */
  network?: PodNetwork;
  /**
   * Serves the kubelet's HTTPS API on a free port of 127.0.0.1, for a kube-apiserver in another process, which has to show the
   * client certificate (`createKubeletCredentials`). Default: it is only asked through `connection`.
   */
  server?: KubeletCredentials;
  clock?: Clock;
  /** 0 ≤ n < 1; container IDs and pull times come from it. Default Math.random. */
  random?: () => number;
  /** Told of what goes wrong and is tried again. Default: nobody. */
  log?: (message: string) => void;
}

export interface Kubelet {
  readonly nodeName: string;
  /** What the API server needs for logs, exec, attach and port-forward. */
  readonly connection: NodeConnection;
  /**
   * Stops the node as if its plug were pulled: containers end, the Pods' objects stay as they are. No timer, no request
   * is left behind when it resolves.
   */
  stop(): Promise<void>;
}

/**
 * Starts a simulated node: registers its Node, then runs the Pods that are bound to it (spec.nodeName). Resolves when the
 * Node is ready.
 *
 * Promised: Pods, their statuses and Events go through the states of a real kubelet, in its words. Not promised: resources are
 * not accounted for, volumes need no disk, and no container ever touches the host.
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
  const take = (pod: Pod) => {
    const key = pod.metadata?.uid ?? "";
    const worker = workers.get(key);
    if (worker) return worker.update(pod);
    const started = startPodWorker(context, pod, stopping.signal);
    workers.set(key, started);
    started.done
      .catch((error: unknown) =>
        log(`pod ${pod.metadata?.namespace}/${pod.metadata?.name}: its worker broke down: ${error}`),
      )
      .finally(() => workers.delete(key));
  };
  informer.addEventHandler({
    added: take,
    updated: (_old, pod) => take(pod),
    deleted(last) {
      workers.get(unwrapTombstone(last)?.metadata?.uid ?? "")?.removed();
    },
  });
  const running = [
    serviceInformer.run(stopping.signal),
    heartbeat({ client, describe, uid, clock, readySince, recorder, log, signal: stopping.signal }),
  ];
  // Services first: a container's environment is what was known when it started.
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
