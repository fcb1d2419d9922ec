import type { Client, Clock, Pod, Service } from "@operator-path/client";
import type { ImageManager } from "../images/image-manager.ts";
import type { AddressRange } from "../network/address-range.ts";
import type { PodNetwork } from "../network/pod-network.ts";
import type { PersistentVolumes } from "../volumes/persistent-volumes.ts";
import type { VolumeContent } from "../volumes/volume.ts";
import type { PodVolumes } from "../volumes/volumes.ts";
import type { BackOff } from "./back-off.ts";
import { type ContainerSlot, createSlot } from "./container-slot.ts";
import type { PodSandbox } from "./pod-sandbox.ts";
import {
  containerFieldPath,
  metaTime,
  type PodCondition,
  type PodStatus,
  type RecordEvent,
  type Recorder,
  type TerminatedState,
} from "./types.ts";

/** What a worker knows of its Pod between two syncs. */
export interface PodState {
  /** As last seen in the API. */
  pod: Pod;
  /** In the order init, regular, ephemeral. */
  slots: ContainerSlot[];
  sandbox: PodSandbox | undefined;
  /** Stays when the sandbox is gone: an ended Pod still says where it was. */
  podIP: string | undefined;
  volumes: PodVolumes | undefined;
  /** ms since epoch. */
  startTime: number;
  terminating: boolean;
  failed: { reason: string; message: string } | undefined;
  /** The conditions as this worker said them last; in the beginning, as it found them. */
  conditions: readonly PodCondition[];
}

export function createPodState(pod: Pod, now: number): PodState {
  const state: PodState = {
    pod,
    slots: [],
    sandbox: undefined,
    podIP: pod.status?.podIP,
    volumes: undefined,
    startTime: pod.status?.startTime ? Date.parse(pod.status.startTime as string) : now,
    terminating: false,
    failed: undefined,
    conditions: pod.status?.conditions ?? [],
  };
  adoptSpec(state, pod);
  recallRuns(state.slots, pod.status, now);
  return state;
}

/** Takes over a newer version of the Pod: new ephemeral containers, changed images. */
export function adoptSpec(state: PodState, pod: Pod): void {
  state.pod = pod;
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const find = (name: string) => state.slots.find((slot) => slot.name === name);
  const slots = (kind: ContainerSlot["kind"], specs: readonly ContainerSlot["spec"][]) =>
    specs.map((spec) => {
      const slot = find(spec.name) ?? createSlot(kind, spec);
      slot.spec = spec;
      return slot;
    });
  state.slots = [
    ...slots("init", initContainers),
    ...slots("regular", containers),
    ...slots("ephemeral", ephemeralContainers),
  ];
}

/**
 * A Pod that ran here under a kubelet before this one: its containers are gone, as after a reboot of the node. Their last
 * state says so, restarts go on counting, and ephemeral containers stay ended.
 */
function recallRuns(slots: readonly ContainerSlot[], status: PodStatus | undefined, now: number): void {
  const known = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  for (const slot of slots) {
    const old = known.find((entry) => entry.name === slot.name);
    if (!old) continue;
    slot.restartCount = old.restartCount;
    const { running, terminated } = old.state ?? {};
    const lost: TerminatedState | undefined = running && {
      exitCode: 255,
      reason: "Unknown",
      ...(running.startedAt ? { startedAt: running.startedAt } : {}),
      finishedAt: metaTime(now),
      ...(old.containerID ? { containerID: old.containerID } : {}),
    };
    slot.lastState = lost ?? terminated ?? old.lastState?.terminated;
  }
}

/** What a Pod's worker needs of its node. */
export interface NodeContext {
  client: Client;
  clock: Clock;
  random: () => number;
  recorder: Recorder;
  images: ImageManager;
  network: PodNetwork;
  addresses: AddressRange;
  /** Every Service that is known, for the containers' environment. */
  services(): readonly Service[];
  persistentVolumes: PersistentVolumes;
  /** Puts volumes on the host's disk, for containers that are its processes. */
  shareVolumes?(volumes: Iterable<VolumeContent>): void;
  nodeName: string;
  nodeIP: string;
  log(message: string): void;
}

/** The hooks by which a running container calls its worker back. */
export interface PodContext {
  node: NodeContext;
  state: PodState;
  restarts: BackOff;
  /** Failed attempts that are this machine's fault (a full disk), by the container's name. */
  hostFailures: BackOff;
  /** Something changed: write the status, look again. */
  requeue(): void;
  /** Look again later. */
  requeueAfter(ms: number): void;
}

export function recorderFor(
  { node, state }: Pick<PodContext, "node" | "state">,
  slot: ContainerSlot,
): RecordEvent {
  return (type, reason, message) =>
    node.recorder.event(state.pod, type, reason, message, {
      fieldPath: containerFieldPath(slot.kind, slot.name),
    });
}
