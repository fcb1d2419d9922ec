import type { Container } from "../runtime/container.ts";
import type { ContainerSlot } from "./container-slot.ts";
import { runProbe } from "./probe.ts";
import type { SyncHooks } from "./sync-pod.ts";
import type { ContainerSpec } from "./types.ts";

type Hook = NonNullable<NonNullable<ContainerSpec["lifecycle"]>["preStop"]>;

/** Runs a postStart or preStop hook. @returns what went wrong, or undefined. */
export async function runHook(
  hook: Hook,
  o: { container: Container; hooks: SyncHooks; slot: ContainerSlot; limitMs: number },
): Promise<string | undefined> {
  const { container, hooks, slot, limitMs } = o;
  if (hook.sleep) {
    await hooks.node.clock.sleep(Math.min(hook.sleep.seconds * 1000, limitMs));
    return undefined;
  }
  const podIP = hooks.state.sandbox?.ip ?? "";
  return runProbe(hook, {
    container,
    spec: slot.spec,
    podIP,
    network: hooks.node.network,
    timeoutMs: limitMs,
  });
}
