import type { Pod } from "@operator-path/client";
import { type ContainerSlot, isRunning, isSidecar } from "./container-slot.ts";
import { runHook } from "./lifecycle-hook.ts";
import { recorderFor, type SyncHooks } from "./sync-pod.ts";

/** A container always gets this long before SIGKILL, whatever the Pod says (the kubelet's minimumGracePeriodInSeconds). */
const MINIMUM_GRACE_MS = 2000;

/** Grace period of a Pod's deletion, ms. */
export function deletionGrace(pod: Pod): number {
  return (pod.metadata?.deletionGracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
}

/** Ends all containers of a Pod: preStop, stop signal, SIGKILL after the grace period; sidecars after the others. */
export async function stopContainers(hooks: SyncHooks, graceMs: number): Promise<void> {
  const { slots } = hooks.state;
  const deadline = hooks.node.clock.steady() + graceMs;
  const stop = async (slot: ContainerSlot) => {
    const container = slot.run?.container;
    if (!container || !isRunning(slot)) return;
    slot.stopProbes?.();
    recorderFor(hooks, slot)("Normal", "Killing", `Stopping container ${slot.name}`);
    const preStop = slot.spec.lifecycle?.preStop;
    if (preStop && graceMs > 0) {
      const failure = await runHook(preStop, {
        container,
        slot,
        node: hooks.node,
        podIP: hooks.state.sandbox?.ip ?? "",
        limitMs: graceMs,
      });
      if (failure) recorderFor(hooks, slot)("Warning", "FailedPreStopHook", "PreStopHook failed");
    }
    await container.stop(Math.max(MINIMUM_GRACE_MS, deadline - hooks.node.clock.steady()));
  };
  await Promise.all(slots.filter((slot) => !isSidecar(slot)).map(stop));
  for (const slot of slots.filter(isSidecar).reverse()) await stop(slot);
}
