import { kubernetesVersion } from "@operator-path/apiserver";
import type { Node } from "@operator-path/client";
import { metaTime } from "../pod/types.ts";
import { RUNTIME } from "../status/container-status.ts";

const KUBELET_VERSION = `v${kubernetesVersion}`;

/** The capacity that a simulated node reports. It is not measured, and Pods never use it up. */
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
  /** The port of the kubelet's HTTPS API on localhost. undefined: the API is served in process only. */
  apiPort?: number | undefined;
  images: { names: string[]; sizeBytes: number }[];
}

/** Returns the labels that a kubelet puts on its Node, and kubeadm on a control plane. */
export function nodeLabels(
  description: Pick<NodeDescription, "nodeName" | "controlPlane" | "labels">,
): Record<string, string> {
  return {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": description.nodeName,
    "kubernetes.io/os": "linux",
    ...(description.controlPlane
      ? {
          "node-role.kubernetes.io/control-plane": "",
          "node.kubernetes.io/exclude-from-external-load-balancers": "",
        }
      : {}),
    ...description.labels,
  };
}

/** Returns the Node object that the kubelet creates. */
export function nodeObject(description: NodeDescription): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: description.nodeName,
      labels: nodeLabels(description),
      annotations: { "operator-path.dev/simulated": "true" },
    },
    spec: {
      podCIDR: description.podCIDR,
      podCIDRs: [description.podCIDR],
      providerID: `${RUNTIME}://simulated/${description.nodeName}`,
    },
  };
}

/**
 * Returns the Node's status.
 * @param readySince when the Node became ready, in ms since epoch
 */
export function nodeStatus(
  description: NodeDescription,
  now: number,
  readySince: number,
): NonNullable<Node["status"]> {
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
      { type: "InternalIP", address: description.nodeIP },
      { type: "Hostname", address: description.nodeName },
      // The address that a kube-apiserver in another process uses
      // (--kubelet-preferred-address-types=InternalDNS).
      ...(description.apiPort === undefined ? [] : [{ type: "InternalDNS", address: "localhost" }]),
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
    daemonEndpoints: { kubeletEndpoint: { Port: description.apiPort ?? 10250 } },
    nodeInfo: {
      architecture: "amd64",
      bootID: description.machineId,
      containerRuntimeVersion: `${RUNTIME}://0.1`,
      kernelVersion: "simulated",
      kubeProxyVersion: "",
      kubeletVersion: KUBELET_VERSION,
      machineID: description.machineId.replaceAll("-", ""),
      operatingSystem: "linux",
      osImage: "operator-path simulated node",
      systemUUID: description.machineId,
    },
    images: description.images,
  };
}
