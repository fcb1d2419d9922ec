import { isConflict, isNotFound, type Pod, pods } from "@operator-path/client";
import { HostError } from "../runtime/errors.ts";
import { podPhase, podStatus } from "../status/pod-status.ts";
import { createStatusWriter } from "../status/status-writer.ts";
import { watchSizeLimits } from "../volumes/size-limits.ts";
import { createVolumeReader, VolumeError } from "../volumes/volume-reader.ts";
import { makeVolumes, refreshVolumes, removeVolumes } from "../volumes/volumes.ts";
import { createBackOff } from "./back-off.ts";
import type { ContainerSlot } from "./container-slot.ts";
import { adoptSpec, createPodState, type NodeContext, type PodContext } from "./pod-context.ts";
import { createPodSandbox } from "./pod-sandbox.ts";
import { deletionGrace, stopContainers, syncContainers } from "./sync-pod.ts";

/** One Pod on this node: takes its versions in, and works until the Pod is gone. One step at a time, never two. */
export interface PodWorker {
  /** A newer version of the Pod. */
  update(pod: Pod): void;
  /** The Pod is gone from the API: what still runs is stopped. */
  removed(): void;
  readonly pod: Pod;
  /** Address of the Pod's network, while it has one. */
  readonly ip: string | undefined;
  slot(name: string): ContainerSlot | undefined;
  /** Settled when the Pod is gone, or the node has stopped. */
  readonly done: Promise<void>;
}

/** After an error that is not the Pod's (an API server that does not answer). */
const RETRY_MS = 1000;

/** For a machine whose disk is full: soon enough for a person who has just made room. */
const hostBackOff = { initialMs: 1000, maxMs: 60_000 };

/** Beside the names of containers, none of which has a slash. */
const volumesKey = "/volumes";

/** @param signal stops the node: containers end at once, and the Pod's status stays as it is, as when a machine loses power. */
export function startPodWorker(node: NodeContext, first: Pod, signal: AbortSignal): PodWorker {
  const { clock, client } = node;
  const state = createPodState(first, clock.now());
  const status = createStatusWriter(client);
  // The Pod needs no more work here.
  const workEnded = new AbortController();
  const timers = new Set<ReturnType<typeof clock.setTimeout>>();
  let dirty = true;
  let deleted = false;
  // The Pod has come to its end here, whatever an older copy of it says.
  let finished = false;
  let wake: (() => void) | undefined;
  let mountFailure: string | undefined;
  const requeue = () => {
    dirty = true;
    wake?.();
  };
  const stop = () => {
    powerOff();
    requeue();
  };
  signal.addEventListener("abort", stop, { once: true });
  const context: PodContext = {
    node,
    state,
    restarts: createBackOff(),
    hostFailures: createBackOff(hostBackOff.initialMs, hostBackOff.maxMs),
    requeue,
    requeueAfter(ms) {
      const timer = clock.setTimeout(() => {
        timers.delete(timer);
        requeue();
      }, ms);
      timers.add(timer);
    },
  };
  const writeStatus = () => {
    const current = podStatus(state.pod, state.slots, {
      podIP: state.podIP,
      hostIP: node.nodeIP,
      startTime: state.startTime,
      now: clock.now(),
      terminating: state.terminating,
      previous: state.conditions,
      failed: state.failed,
    });
    state.conditions = current.conditions ?? [];
    return status.write(state.pod, current);
  };

  /** @returns true when the Pod needs no more work. */
  async function sync(): Promise<boolean> {
    if (deleted || state.pod.metadata?.deletionTimestamp) return terminate();
    const ended = finished || ["Succeeded", "Failed"].includes(state.pod.status?.phase ?? "");
    // Ended under this worker or an earlier one: it stays as it is until it is deleted.
    if (ended && !state.sandbox) return false;
    if (state.failed?.reason === "Evicted" || deadlinePassed()) {
      await finish(state.failed?.reason === "Evicted" ? 0 : deletionGrace(state.pod));
      return false;
    }
    state.sandbox ??= createPodSandbox(state.pod, node.network, node.addresses, clock.now());
    state.podIP = state.sandbox.ip;
    await writeStatus();
    try {
      state.volumes ??= await mountVolumes(state.sandbox.ip);
      mountFailure = undefined;
      context.hostFailures.forget(volumesKey);
    } catch (error) {
      if (error instanceof HostError) waitForHost(error);
      else if (error instanceof VolumeError) {
        node.recorder.event(state.pod, "Warning", "FailedMount", error.message);
        context.requeueAfter(2000);
      } else throw error;
      return false;
    }
    await syncContainers(context);
    if (["Succeeded", "Failed"].includes(podPhase(state.pod, state.slots, false)))
      await finish(deletionGrace(state.pod));
    await writeStatus();
    return false;
  }

  /** Records one Event for volumes that this machine has no room for, and tries again, later and later. */
  function waitForHost({ message }: HostError): void {
    if (mountFailure !== message)
      node.recorder.event(state.pod, "Warning", "FailedMount", `MountVolume.SetUp failed: ${message}`);
    mountFailure = message;
    context.hostFailures.next(volumesKey, clock.steady());
    context.requeueAfter(context.hostFailures.delay(volumesKey));
  }

  /** Makes the volumes, and keeps them up to date from then on. */
  async function mountVolumes(podIP: string) {
    const { nodeName, nodeIP, random } = node;
    const reader = createVolumeReader({ client, clock, status: { podIP, hostIP: nodeIP }, nodeName });
    const volumes = await makeVolumes(reader, state.pod, node.persistentVolumes);
    try {
      if (usesLocalImage(state.pod)) node.shareVolumes?.(volumes.values());
    } catch (error) {
      await removeVolumes(volumes);
      throw error;
    }
    const keep = {
      volumes,
      reader,
      pod: () => state.pod,
      clock,
      random,
      signal: workEnded.signal,
      log: node.log,
    };
    void refreshVolumes(keep);
    const { pod } = state;
    void watchSizeLimits({ pod, volumes, clock, signal: workEnded.signal, exceeded: evict });
    return volumes;
  }

  /** Volumes that a process of the host uses too are on its disk from the start: what is in memory only it would not see. */
  function usesLocalImage(pod: Pod): boolean {
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    return [...containers, ...initContainers].some(({ image = "" }) => node.images.isLocal(image));
  }

  /** Ends the Pod for good: whatever made it takes another one. */
  function evict(message: string): void {
    if (state.failed || finished) return;
    node.recorder.event(state.pod, "Warning", "Evicted", message);
    state.failed = { reason: "Evicted", message };
    requeue();
  }

  /** activeDeadlineSeconds: the Pod has been on the node for longer than it may be. */
  function deadlinePassed(): boolean {
    const deadline = state.pod.spec?.activeDeadlineSeconds;
    if (deadline === undefined || state.failed) return false;
    const left = state.startTime + deadline * 1000 - clock.now();
    if (left > 0) {
      if (!state.sandbox) context.requeueAfter(left);
      return false;
    }
    state.failed = {
      reason: "DeadlineExceeded",
      message: "Pod was active on the node longer than the specified deadline",
    };
    return true;
  }

  /** The Pod has come to its end by itself: what still runs (ephemeral containers, sidecars) ends too. */
  async function finish(graceMs: number): Promise<void> {
    state.terminating = true;
    await stopContainers(context, graceMs);
    await writeStatus();
    finished = true;
    state.sandbox?.remove();
    state.sandbox = undefined;
  }

  async function terminate(): Promise<boolean> {
    state.terminating = true;
    if (!deleted) await writeStatus();
    await stopContainers(context, deleted ? 0 : deletionGrace(state.pod));
    if (!deleted) {
      await writeStatus();
      const { name = "", namespace = "default", uid } = state.pod.metadata ?? {};
      try {
        const preconditions = uid ? { uid } : {};
        await client
          .resource(pods)
          .namespace(namespace)
          .delete(name, { gracePeriodSeconds: 0, preconditions });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
    return true;
  }

  function powerOff(): void {
    for (const slot of state.slots) {
      slot.stopProbes?.();
      for (const process of slot.run?.container?.config.processes.list() ?? []) process.signal("SIGKILL");
    }
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      if (!dirty) await new Promise<void>((resolve) => (wake = resolve));
      dirty = false;
      if (signal.aborted) break;
      try {
        if (await sync()) break;
      } catch (error) {
        if (signal.aborted) break;
        node.log(
          `pod ${state.pod.metadata?.namespace}/${state.pod.metadata?.name}: ${error instanceof Error ? error.message : String(error)}`,
        );
        context.requeueAfter(RETRY_MS);
      }
    }
    // The node outlives its Pods: a listener left here would keep each of them in memory.
    signal.removeEventListener("abort", stop);
    for (const timer of timers) clock.clearTimeout(timer);
    workEnded.abort();
    powerOff();
    await allEnded(state);
    await removeVolumes(state.volumes);
    state.sandbox?.remove();
  }

  return {
    update(pod) {
      // A shorter grace period (`delete --now` after a patient delete) reaches containers that are being stopped.
      const shorter =
        state.terminating && pod.metadata?.deletionTimestamp && deletionGrace(pod) < deletionGrace(state.pod);
      adoptSpec(state, pod);
      if (shorter) void stopContainersNow(context, deletionGrace(pod));
      requeue();
    },
    removed() {
      deleted = true;
      if (state.terminating) void stopContainersNow(context, 0);
      requeue();
    },
    get pod() {
      return state.pod;
    },
    get ip() {
      return state.sandbox?.ip;
    },
    slot: (name) => state.slots.find((slot) => slot.name === name),
    done: work(),
  };
}

/** Processes of the host take a moment to go. */
async function allEnded({ slots }: PodContext["state"]): Promise<void> {
  const local = slots.map(({ run }) => run?.container).filter((container) => container?.config.image.local);
  await Promise.all(local.map((container) => container?.exited));
}

/** Cuts short a termination that is already under way. */
async function stopContainersNow({ state }: PodContext, graceMs: number): Promise<void> {
  await Promise.all(state.slots.map((slot) => slot.run?.container?.stop(Math.max(2000, graceMs))));
}
