import type { Pod } from "@operator-path/client";
import type { AddressRange } from "../network/address-range.ts";
import type { NetworkNamespace, PodNetwork } from "../network/pod-network.ts";
import { createProcessTable, type ProcessTable } from "../runtime/process-table.ts";
import { podHostname } from "./container-config.ts";

/**
 * What the containers of a Pod share: the network namespace, and the PID namespace with
 * `shareProcessNamespace`.
 */
export interface PodSandbox {
  readonly ip: string;
  readonly network: NetworkNamespace;
  /** Returns the target's PID namespace, or else the shared one, or else a new one. */
  processesFor(target: ProcessTable | undefined): ProcessTable;
  /** Detaches the Pod from the network and releases its address. */
  remove(): void;
}

export function createPodSandbox(pod: Pod, network: PodNetwork, addresses: AddressRange): PodSandbox {
  const ip = addresses.allocate();
  const namespace = network.attach(ip, podHostname(pod), pod.metadata?.namespace);
  const shared = pod.spec?.shareProcessNamespace ? createProcessTable() : undefined;
  // In a shared PID namespace the pause process is pid 1.
  shared?.add({
    ppid: 0,
    argv: ["/pause"],
    uid: 65535,
    gid: 65535,
    cwd: "/",
    env: {},
    container: "",
    tty: false,
    signal() {},
  });
  return {
    ip,
    network: namespace,
    processesFor: (target) => target ?? shared ?? createProcessTable(),
    remove() {
      namespace.detach();
      addresses.release(ip);
    },
  };
}
