import {
  type Client,
  type Clock,
  defineResource,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  nodes,
} from "@operator-path/client";
import type { Recorder } from "../pod/types.ts";
import { type NodeDescription, nodeLabels, nodeObject, nodeStatus } from "./node-object.ts";

interface Lease extends KubeObject {
  spec?: { holderIdentity?: string; leaseDurationSeconds?: number; renewTime?: string };
}

const leases = defineResource<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
});

/** The kubelet's nodeLeaseDurationSeconds. The Lease is renewed after a quarter of it. */
const LEASE_SECONDS = 40;

/**
 * Records the Events of a node that has just started. Their object's uid is the Node's name, as in the
 * kubelet.
 */
function recordStart(recorder: Recorder, nodeName: string): void {
  const object = { apiVersion: "v1", kind: "Node", metadata: { name: nodeName, uid: nodeName } };
  recorder.event(object, "Normal", "Starting", "Starting kubelet.");
  for (const reason of [
    "NodeHasSufficientMemory",
    "NodeHasNoDiskPressure",
    "NodeHasSufficientPID",
    "NodeReady",
  ]) {
    recorder.event(object, "Normal", reason, `Node ${nodeName} status is now: ${reason}`);
  }
}

/** Creates the Node or takes over the existing one, and reports it ready. Returns its uid. */
export async function registerNode(
  client: Client,
  describe: () => NodeDescription,
  now: number,
): Promise<string> {
  const description = describe();
  const all = client.resource(nodes);
  let node = await all
    .create(nodeObject(description), { fieldManager: "kubelet" })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      return undefined;
    });
  node ??= await all.patch(
    description.nodeName,
    { metadata: { labels: nodeLabels(description) } },
    { type: "merge", fieldManager: "kubelet" },
  );
  await all.patch(
    description.nodeName,
    { status: nodeStatus(description, now, now) },
    { type: "strategic", subresource: "status", fieldManager: "kubelet" },
  );
  // A real API server taints every new Node, and a controller removes the taint when the Node is ready. This
  // Node is ready.
  const taints = node.spec?.taints?.filter(({ key }) => key !== "node.kubernetes.io/not-ready");
  if (taints && taints.length !== node.spec?.taints?.length) {
    await all.patch(description.nodeName, { spec: { taints } }, { type: "merge", fieldManager: "kubelet" });
  }
  return node.metadata?.uid ?? "";
}

/**
 * Sends heartbeats until the signal aborts: renews a Lease in kube-node-lease every 10 s, and writes the
 * Node's status every 5 minutes (the kubelet's nodeStatusReportFrequency). Failures are logged, and the next
 * heartbeat tries again.
 */
export async function heartbeat(options: {
  client: Client;
  describe: () => NodeDescription;
  uid: string;
  clock: Clock;
  readySince: number;
  recorder: Recorder;
  log(message: string): void;
  signal: AbortSignal;
}): Promise<void> {
  const { client, clock, signal } = options;
  const { nodeName } = options.describe();
  recordStart(options.recorder, nodeName);
  let reported = clock.steady();
  while (!signal.aborted) {
    try {
      await renew(client, nodeName, options.uid, clock.now());
      if (clock.steady() - reported >= 300_000) {
        await client
          .resource(nodes)
          .patch(
            nodeName,
            { status: nodeStatus(options.describe(), clock.now(), options.readySince) },
            { type: "strategic", subresource: "status" },
          );
        reported = clock.steady();
      }
    } catch (error) {
      if (!signal.aborted)
        options.log(
          `node ${nodeName}: heartbeat failed: ${error instanceof Error ? error.message : String(error)}`,
        );
    }
    await clock.sleep((LEASE_SECONDS * 1000) / 4, signal).catch(() => undefined);
  }
}

async function renew(client: Client, nodeName: string, uid: string, now: number): Promise<void> {
  const renewTime = new Date(now).toISOString().replace("Z", "000Z");
  const inNamespace = client.resource(leases).namespace("kube-node-lease");
  try {
    await inNamespace.patch(nodeName, { spec: { renewTime } }, { type: "merge", fieldManager: "kubelet" });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const lease: Lease = {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: {
        name: nodeName,
        namespace: "kube-node-lease",
        ownerReferences: [{ apiVersion: "v1", kind: "Node", name: nodeName, uid }],
      },
      spec: { holderIdentity: nodeName, leaseDurationSeconds: LEASE_SECONDS, renewTime },
    };
    await inNamespace.create(lease, { fieldManager: "kubelet" }).catch((failure: unknown) => {
      // Without the Lease and without its namespace, the server does not serve Leases (yet).
      if (!isNotFound(failure)) throw failure;
    });
  }
}
