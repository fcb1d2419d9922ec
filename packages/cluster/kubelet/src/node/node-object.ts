import { kubernetesVersion } from "@operator-path/apiserver";
import type { Node } from "@operator-path/client";
import { metaTime } from "../pod/types.ts";
import { RUNTIME } from "../status/container-status.ts";

export const KUBELET_VERSION = `v${kubernetesVersion}`;

/** What a simulated node says it has. Nothing is measured: it is enough for tutorials and is never used up. */
const CAPACITY = {
  cpu: "4",
  "ephemeral-storage": "65536Mi",
  "hugepages-2Mi": "0",
  memory: "8192Mi",
  pods: "110",
};

export interface NodeDescription {
  nodeName: string;
  controlPlane: boolean;
  labels: Record<string, string>;
  nodeIP: string;
  podCIDR: string;
  machineId: string;
  /** Port of the kubelet's HTTPS API on localhost; undefined: it has none, and is asked in process. */
  apiPort?: number | undefined;
  images: { names: string[]; sizeBytes: number }[];
}

/** Labels that a kubelet puts on its Node (and kubeadm on that of a control plane). */
export function nodeLabels(
  d: Pick<NodeDescription, "nodeName" | "controlPlane" | "labels">,
): Record<string, string> {
  return {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": d.nodeName,
    "kubernetes.io/os": "linux",
    ...(d.controlPlane
      ? {
          "node-role.kubernetes.io/control-plane": "",
          "node.kubernetes.io/exclude-from-external-load-balancers": "",
        }
      : {}),
    ...d.labels,
  };
}

/** The Node as it registers itself. */
export function nodeObject(d: NodeDescription): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: d.nodeName,
      labels: nodeLabels(d),
      annotations: { "operator-path.dev/simulated": "true" },
    },
    spec: { podCIDR: d.podCIDR, podCIDRs: [d.podCIDR], providerID: `${RUNTIME}://simulated/${d.nodeName}` },
  };
}

/** The Node's status. @param readySince when it became ready, ms since epoch. */
export function nodeStatus(d: NodeDescription, now: number, readySince: number): NonNullable<Node["status"]> {
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    lastHeartbeatTime: metaTime(now),
    lastTransitionTime: metaTime(readySince),
    reason,
    message,
  });
  return {
    addresses: [
      { type: "InternalIP", address: d.nodeIP },
      { type: "Hostname", address: d.nodeName },
      // Where a kube-apiserver in another process finds it (--kubelet-preferred-address-types=InternalDNS).
      ...(d.apiPort === undefined ? [] : [{ type: "InternalDNS", address: "localhost" }]),
    ],
    capacity: CAPACITY,
    allocatable: CAPACITY,
    conditions: [
      condition(
        "MemoryPressure",
        "False",
        "KubeletHasSufficientMemory",
        "kubelet has sufficient memory available",
      ),
      condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
      condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
      condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: d.apiPort ?? 10250 } },
    nodeInfo: {
      architecture: "amd64",
      bootID: d.machineId,
      containerRuntimeVersion: `${RUNTIME}://0.1`,
      kernelVersion: "simulated",
      kubeProxyVersion: "",
      kubeletVersion: KUBELET_VERSION,
      machineID: d.machineId.replaceAll("-", ""),
      operatingSystem: "linux",
      osImage: "operator-path simulated node",
      systemUUID: d.machineId,
    },
    images: d.images,
  };
}
