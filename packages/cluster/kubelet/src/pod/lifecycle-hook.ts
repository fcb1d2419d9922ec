import type { Container } from "../runtime/contracts.ts";
import type { ContainerSlot } from "./container-slot.ts";
import type { NodeContext } from "./node-context.ts";
import { runProbe } from "./probe.ts";
import type { ContainerSpec } from "./types.ts";

type Hook = NonNullable<NonNullable<ContainerSpec["lifecycle"]>["preStop"]>;

/** Where a hook runs, and how long it may take. */
export interface HookOptions {
  readonly container: Container;
  readonly slot: ContainerSlot;
  readonly node: NodeContext;
  readonly podIP: string;
  readonly limitMs: number;
}

/** Runs a postStart or preStop hook. Resolves to the reason of a failure, or to undefined. */
export async function runHook(
  hook: Hook,
  { container, slot, node, podIP, limitMs }: HookOptions,
): Promise<string | undefined> {
  if (hook.sleep) {
    await node.clock.sleep(Math.min(hook.sleep.seconds * 1000, limitMs));
    return undefined;
  }
  return runProbe(hook, { container, spec: slot.spec, podIP, network: node.network, timeoutMs: limitMs });
}
