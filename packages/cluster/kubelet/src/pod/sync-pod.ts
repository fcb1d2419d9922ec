import type { Pod } from "@operator-path/client";
import { runHook } from "../probes/probe.ts";
import { startProbes } from "../probes/prober.ts";
import { goDuration } from "./back-off.ts";
import { type ContainerSlot, isRunning, isSidecar, wantsRestart } from "./container-slot.ts";
import { type PodContext, recorderFor } from "./pod-context.ts";
import { startSlot } from "./start-container.ts";
import { formatPod } from "./types.ts";

/**
 * Brings the containers of a Pod one step closer to the specification. The Pod must have its sandbox and its
 * volumes. The order is the kubelet's: ephemeral containers (even when an init container fails), init
 * containers one by one, the rest.
 */
export async function syncContainers(context: PodContext): Promise<void> {
  const { state } = context;
  for (const slot of state.slots) {
    if (slot.kind === "ephemeral" && !slot.run && !slot.lastState) await start(context, slot);
  }
  for (const slot of state.slots.filter(({ kind }) => kind === "init")) {
    if (slot.run?.exit?.code === 0 && !isSidecar(slot)) continue;
    await ensureRunning(context, slot);
    const passed = isSidecar(slot)
      ? isRunning(slot) && slot.started
      : (slot.run?.exit?.code as number | undefined) === 0;
    if (!passed) return;
  }
  for (const slot of state.slots) {
    if (slot.kind === "regular") await ensureRunning(context, slot);
  }
}

async function ensureRunning(context: PodContext, slot: ContainerSlot): Promise<void> {
  const { node, state, restarts } = context;
  if (isRunning(slot)) return restartIfChanged(context, slot);
  const ended = slot.run?.exit;
  if (ended) {
    if (!wantsRestart(slot, state.pod.spec?.restartPolicy, ended.code)) return;
    const key = `${state.pod.metadata?.uid}/${slot.name}/${slot.spec.image}`;
    const wait = restarts.remaining(key, ended.endedAt, node.clock.steady());
    if (wait > 0) {
      const message = `back-off ${goDuration(restarts.delay(key))} restarting failed container=${slot.name} pod=${formatPod(state.pod)}`;
      if (slot.waiting?.message !== message) {
        slot.waiting = { reason: "CrashLoopBackOff", message };
        recorderFor(context, slot)(
          "Warning",
          "BackOff",
          `Back-off restarting failed container ${slot.name} in pod ${formatPod(state.pod)}`,
        );
      }
      return context.requeueAfter(wait);
    }
    restarts.next(key, ended.endedAt);
  }
  await start(context, slot);
}

async function start(context: PodContext, slot: ContainerSlot): Promise<void> {
  const { node, state } = context;
  const { sandbox, volumes } = state;
  if (!sandbox || !volumes || state.terminating) return;
  const record = recorderFor(context, slot);
  const { pod, slots } = state;
  const { hostFailures } = context;
  const retry = await startSlot({ node, pod, slot, slots, sandbox, volumes, record, hostFailures });
  if (retry !== undefined) return context.requeueAfter(retry);
  const run = slot.run;
  if (!run?.container) return;
  slot.stopProbes = startProbes({
    slot,
    container: run.container,
    podIP: sandbox.ip,
    network: node.network,
    clock: node.clock,
    record,
    onChange: context.requeue,
    onFailed: (message) => void kill(context, slot, message),
  });
  const postStart = slot.spec.lifecycle?.postStart;
  if (postStart) {
    const failure = await runHook(postStart, {
      container: run.container,
      slot,
      node: context.node,
      podIP: context.state.sandbox?.ip ?? "",
      limitMs: 30_000,
    });
    if (failure) {
      record("Warning", "FailedPostStartHook", "PostStartHook failed");
      void kill(context, slot, "FailedPostStartHook");
    }
  }
  void run.container.exited.then((exit) => {
    run.exit = exit;
    slot.started = false;
    slot.ready = false;
    context.requeue();
  });
}

/** Restarts a container whose image was changed in place. */
function restartIfChanged(context: PodContext, slot: ContainerSlot): void {
  const started = slot.run?.container?.config;
  if (!started || slot.kind === "ephemeral" || slot.run?.requested === slot.spec.image) return;
  void kill(context, slot, `Container ${slot.name} definition changed, will be restarted`);
}

/** Stops one container of a Pod that continues. */
async function kill(context: PodContext, slot: ContainerSlot, message: string): Promise<void> {
  const container = slot.run?.container;
  if (!container || slot.killing === container) return;
  slot.killing = container;
  recorderFor(context, slot)("Normal", "Killing", message);
  const grace =
    slot.spec.livenessProbe?.terminationGracePeriodSeconds ??
    context.state.pod.spec?.terminationGracePeriodSeconds;
  await container.stop((grace ?? 30) * 1000);
}

/**
 * The shortest time before SIGKILL, even if the Pod asks for less (the kubelet's
 * minimumGracePeriodInSeconds).
 */
const MINIMUM_GRACE_MS = 2000;

/** Returns the grace period of a Pod's deletion, in ms. */
export function deletionGrace(pod: Pod): number {
  return (pod.metadata?.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
}

/**
 * Stops all containers of a Pod, sidecars after the others: preStop, stop signal, SIGKILL after the grace
 * period.
 */
export async function stopContainers(context: PodContext, graceMs: number): Promise<void> {
  const { slots } = context.state;
  const deadline = context.node.clock.steady() + graceMs;
  const stop = async (slot: ContainerSlot) => {
    const container = slot.run?.container;
    if (!container || !isRunning(slot)) return;
    slot.stopProbes?.();
    recorderFor(context, slot)("Normal", "Killing", `Stopping container ${slot.name}`);
    const preStop = slot.spec.lifecycle?.preStop;
    if (preStop && graceMs > 0) {
      const failure = await runHook(preStop, {
        container,
        slot,
        node: context.node,
        podIP: context.state.sandbox?.ip ?? "",
        limitMs: graceMs,
      });
      if (failure) recorderFor(context, slot)("Warning", "FailedPreStopHook", "PreStopHook failed");
    }
    await container.stop(Math.max(MINIMUM_GRACE_MS, deadline - context.node.clock.steady()));
  };
  await Promise.all(slots.filter((slot) => !isSidecar(slot)).map(stop));
  for (const slot of slots.filter(isSidecar).reverse()) await stop(slot);
}
