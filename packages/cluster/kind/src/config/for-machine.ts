import { kindNodeImage } from "@operator-path/tools";
import { stringify } from "yaml";
import type { Engine } from "../engine/engine.ts";
import { certsDirectory } from "../registry.ts";
import type { ReadKindConfig } from "./schema.ts";

export interface MachineNeeds {
  readonly engine: Engine;
  /**
   * The image of all nodes, whatever the configuration says. Default: each node's own, or `kindNodeImage`.
   */
  readonly image?: string;
  /** Whether containerd should use our registry. */
  readonly registry?: boolean;
}

/**
 * Returns the configuration with the settings of this machine, so that a tutorial's file can be the same
 * everywhere: the nodes' image; `failCgroupV1: false` if the engine's machine has cgroup v1 and the
 * configuration does not set it; the folder with containerd's registries. The result is YAML for `kind create
 * cluster --config -`.
 */
export function forMachine(config: ReadKindConfig, needs: MachineNeeds): string {
  const nodes = (config.nodes ?? [{ role: "control-plane" as const }]).map((node) => ({
    ...node,
    image: needs.image ?? node.image ?? kindNodeImage,
  }));
  const own = config.kubeadmConfigPatches ?? [];
  const decided = [...own, ...nodes.flatMap(({ kubeadmConfigPatches = [] }) => kubeadmConfigPatches)];
  const cgroup = needs.engine.cgroup === 1 && !decided.some((patch) => patch.includes("failCgroupV1"));
  const kubeadmConfigPatches = cgroup ? [...own, allowCgroupV1] : own;
  const containerdConfigPatches = [
    ...(config.containerdConfigPatches ?? []),
    // Node images of kind 0.27 and newer already have it. A second setting does no harm.
    ...(needs.registry ? [registryFolder] : []),
  ];
  return stringify({
    ...config,
    nodes,
    ...(kubeadmConfigPatches.length > 0 && { kubeadmConfigPatches }),
    ...(containerdConfigPatches.length > 0 && { containerdConfigPatches }),
  });
}

const allowCgroupV1 = "kind: KubeletConfiguration\nfailCgroupV1: false\n";
const registryFolder = `[plugins."io.containerd.grpc.v1.cri".registry]\n  config_path = "${certsDirectory}"\n`;
