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

/** The state of a Pod between two syncs. */
export interface PodState {
  /** The Pod as last seen in the API. */
  pod: Pod;
  /** Ordered by kind: init, regular, ephemeral. */
  slots: ContainerSlot[];
  sandbox: PodSandbox | undefined;
  /** Kept after the sandbox is removed, because an ended Pod still shows its address. */
  podIP: string | undefined;
  volumes: PodVolumes | undefined;
  /** ms since epoch. */
  startTime: number;
  terminating: boolean;
  failed: { reason: string; message: string } | undefined;
  /** The conditions as this worker wrote them last. Initially the conditions of the Pod. */
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

/** Adopts a newer version of the Pod, with new ephemeral containers and changed images. */
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
 * Restores the runs of an earlier kubelet from the Pod's status. Their containers have ended, as after a node
 * reboot, and lastState shows this. Restart counts continue. Ephemeral containers do not start again.
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
    const unknownState: TerminatedState | undefined = running && {
      exitCode: 255,
      reason: "Unknown",
      ...(running.startedAt ? { startedAt: running.startedAt } : {}),
      finishedAt: metaTime(now),
      ...(old.containerID ? { containerID: old.containerID } : {}),
    };
    slot.lastState = unknownState ?? terminated ?? old.lastState?.terminated;
  }
}

/** What a Pod's worker uses of its node. */
export interface NodeContext {
  client: Client;
  clock: Clock;
  random: () => number;
  recorder: Recorder;
  images: ImageManager;
  network: PodNetwork;
  addresses: AddressRange;
  /** Returns every known Service, for the containers' environment. */
  services(): readonly Service[];
  persistentVolumes: PersistentVolumes;
  /** Puts volumes on the host's disk, for containers that are processes. */
  shareVolumes?(volumes: Iterable<VolumeContent>): void;
  nodeName: string;
  nodeIP: string;
  log(message: string): void;
}

/** What the steps of a worker share. A running container requeues its Pod here. */
export interface PodContext {
  node: NodeContext;
  state: PodState;
  restarts: BackOff;
  /** Failed attempts caused by this machine, such as a full disk, by the container's name. */
  hostFailures: BackOff;
  /** Requests another sync, which also writes the status. */
  requeue(): void;
  /** Requests another sync after a delay. */
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
