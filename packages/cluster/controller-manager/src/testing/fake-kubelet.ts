import { type Client, isConflict, isNotFound, nodes, type Pod, pods } from "@operator-path/client";
import { createSharedInformer } from "@operator-path/informers";
import { isBeingDeleted, nameOf, namespaceOf, timestamp, uidOf } from "../objects.ts";

export interface FakeKubeletOptions {
  nodeName?: string;
  /** Which Pods become ready. The others stay Pending. Default: all. */
  becomesReady?: (pod: Pod) => boolean;
  /** Which Pods end when they are deleted. The others keep terminating. Default: all. */
  terminates?: (pod: Pod) => boolean;
  /** When a Pod became ready, in milliseconds since the epoch. Default: Date.now. */
  now?: () => number;
}

export interface FakeKubelet {
  /** Checks all Pods again, after an option's result has changed. */
  resync(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * For tests: a node whose Pods are ready as soon as they are bound, and removed as soon as they are deleted.
 */
export async function startFakeKubelet(
  client: Client,
  options: FakeKubeletOptions = {},
): Promise<FakeKubelet> {
  const { nodeName = "node-1", becomesReady = () => true, terminates = () => true, now = Date.now } = options;
  const stopping = new AbortController();
  const addresses = new Map<string, string>();
  const informer = createSharedInformer(client, pods, { fieldSelector: `spec.nodeName=${nodeName}` });
  informer.addEventHandler({ added: react, updated: (_old, pod) => react(pod) });
  const running = informer.run(stopping.signal);
  const status = {
    conditions: [
      { type: "Ready", status: "True", reason: "KubeletReady", lastTransitionTime: timestamp(now()) },
    ],
    allocatable: { cpu: "4", memory: "8Gi", pods: "110" },
  };
  const labels = { "kubernetes.io/hostname": nodeName };
  await client.resource(nodes).create({ metadata: { name: nodeName, labels } });
  await client.resource(nodes).patch(nodeName, { status }, { type: "merge", subresource: "status" });

  return {
    async resync() {
      await Promise.all(informer.lister.list().map(react));
    },
    async stop() {
      stopping.abort();
      await running;
      await client.resource(nodes).delete(nodeName);
    },
  };

  async function react(pod: Pod): Promise<void> {
    const inNamespace = client.resource(pods).namespace(namespaceOf(pod));
    try {
      if (isBeingDeleted(pod)) {
        const preconditions = { uid: uidOf(pod) };
        if (terminates(pod)) await inNamespace.delete(nameOf(pod), { gracePeriodSeconds: 0, preconditions });
      } else if ((pod.status?.phase ?? "Pending") === "Pending" && becomesReady(pod)) {
        const condition = { type: "Ready", status: "True", lastTransitionTime: timestamp(now()) };
        // Reuses the first address: the first response may not have arrived yet.
        const podIP = addresses.get(uidOf(pod)) ?? `10.244.0.${addresses.size + 2}`;
        addresses.set(uidOf(pod), podIP);
        const status = { phase: "Running", conditions: [condition], podIP, podIPs: [{ ip: podIP }] };
        await inNamespace.patch(nameOf(pod), { status }, { type: "strategic", subresource: "status" });
      }
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error) && !stopping.signal.aborted) throw error;
    }
  }
}
