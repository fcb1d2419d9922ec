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

/** Runs one Pod on this node until the Pod is deleted. Never runs two syncs at a time. */
export interface PodWorker {
  /** Adopts a newer version of the Pod. */
  update(pod: Pod): void;
  /** Stops the containers, because the Pod is deleted from the API. */
  removed(): void;
  readonly pod: Pod;
  /** The Pod's address, while it has a sandbox. */
  readonly ip: string | undefined;
  slot(name: string): ContainerSlot | undefined;
  /** Resolves when the Pod's containers have ended, after its deletion or the end of the node. */
  readonly done: Promise<void>;
}

/** The delay after an error that the Pod did not cause, such as an unreachable API server. */
const RETRY_MS = 1000;

/** The back-off on a full disk. It is short enough for a person who has just freed space. */
const hostBackOff = { initialMs: 1000, maxMs: 60_000 };

/** The key of the Pod's volumes in `hostFailures`. No container's name has a slash. */
const volumesKey = "/volumes";

/**
 * @param signal stops the node: containers end at once and the Pod's status is not written, as at a power
 *   failure
 */
export function startPodWorker(node: NodeContext, first: Pod, signal: AbortSignal): PodWorker {
  const { clock, client } = node;
  const state = createPodState(first, clock.now());
  const status = createStatusWriter(client);
  // Aborts when the Pod needs no more work.
  const workEnded = new AbortController();
  const timers = new Set<ReturnType<typeof clock.setTimeout>>();
  let dirty = true;
  let deleted = false;
  // The Pod has ended here, even if an older copy of it shows otherwise.
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

  /** Returns true when the Pod needs no more work. */
  async function sync(): Promise<boolean> {
    if (deleted || state.pod.metadata?.deletionTimestamp) return terminate();
    const ended = finished || ["Succeeded", "Failed"].includes(state.pod.status?.phase ?? "");
    // The Pod ended under this worker or an earlier one. It stays unchanged until it is deleted.
    if (ended && !state.sandbox) return false;
    if (state.failed?.reason === "Evicted" || deadlinePassed()) {
      await finish(state.failed?.reason === "Evicted" ? 0 : deletionGrace(state.pod));
      return false;
    }
    state.sandbox ??= createPodSandbox(state.pod, node.network, node.addresses);
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

  /** Records one Event for volumes that this machine cannot store, and retries with back-off. */
  function waitForHost({ message }: HostError): void {
    if (mountFailure !== message)
      node.recorder.event(state.pod, "Warning", "FailedMount", `MountVolume.SetUp failed: ${message}`);
    mountFailure = message;
    context.hostFailures.next(volumesKey, clock.steady());
    context.requeueAfter(context.hostFailures.delay(volumesKey));
  }

  /** Creates the volumes, and keeps them up to date from then on. */
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
    const refreshOptions = {
      volumes,
      reader,
      pod: () => state.pod,
      clock,
      random,
      signal: workEnded.signal,
      log: node.log,
    };
    void refreshVolumes(refreshOptions);
    const { pod } = state;
    void watchSizeLimits({ pod, volumes, clock, signal: workEnded.signal, exceeded: evict });
    return volumes;
  }

  /**
   * Whether a container is a process of the host. Such a process does not see volumes in memory, so they must
   * be on the disk from the start.
   */
  function usesLocalImage(pod: Pod): boolean {
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    return [...containers, ...initContainers].some(({ image = "" }) => node.images.isLocal(image));
  }

  /** Ends the Pod for good. Its controller creates another one. */
  function evict(message: string): void {
    if (state.failed || finished) return;
    node.recorder.event(state.pod, "Warning", "Evicted", message);
    state.failed = { reason: "Evicted", message };
    requeue();
  }

  /** Whether the Pod has been on the node for longer than activeDeadlineSeconds. */
  function deadlinePassed(): boolean {
    const deadline = state.pod.spec?.activeDeadlineSeconds;
    if (deadline === undefined || state.failed) return false;
    const remainingMs = state.startTime + deadline * 1000 - clock.now();
    if (remainingMs > 0) {
      if (!state.sandbox) context.requeueAfter(remainingMs);
      return false;
    }
    state.failed = {
      reason: "DeadlineExceeded",
      message: "Pod was active on the node longer than the specified deadline",
    };
    return true;
  }

  /** Ends the Pod's remaining containers (ephemeral containers, sidecars) after the Pod itself has ended. */
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
    // The node's signal outlives the Pod: a listener left on it would keep the Pod in memory.
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
      // A shorter grace period, as with `delete --now` after an ordinary delete, applies to containers that are
      // already stopping.
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

/** Resolves when the Pod's processes on the host have ended, which takes a moment. */
async function allEnded({ slots }: PodContext["state"]): Promise<void> {
  const local = slots.map(({ run }) => run?.container).filter((container) => container?.config.image.local);
  await Promise.all(local.map((container) => container?.exited));
}

/** Shortens a termination that has already begun. */
async function stopContainersNow({ state }: PodContext, graceMs: number): Promise<void> {
  await Promise.all(state.slots.map((slot) => slot.run?.container?.stop(Math.max(2000, graceMs))));
}
