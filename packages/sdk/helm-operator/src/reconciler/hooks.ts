import type { KubeObject } from "@operator-path/client";
import type { Logger } from "@operator-path/controller-runtime";
import type { JsonObject } from "../json.ts";
import type { Release } from "../release/release.ts";

/** What is about to be done, or was. "reconcile": the release is as it should be. */
export type HookOperation = "install" | "upgrade" | "reconcile" | "uninstall";

export interface HookContext {
  readonly operation: HookOperation;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Before helm acts (Go: hook.PreHook). Before an uninstall there may be no values: the object's may not be valid any more. */
export type PreHook = (
  object: KubeObject,
  values: JsonObject | undefined,
  context: HookContext,
) => void | Promise<void>;

/** After helm has acted (Go: hook.PostHook). After an uninstall there is no release. */
export type PostHook = (
  object: KubeObject,
  release: Release | undefined,
  context: HookContext,
) => void | Promise<void>;

/** One after the other. What they throw is logged: a hook is an addition, and does not keep the release from its state. */
export async function runHooks<T>(
  hooks: readonly ((object: KubeObject, about: T, context: HookContext) => void | Promise<void>)[] = [],
  object: KubeObject,
  about: T,
  context: HookContext,
): Promise<void> {
  for (const hook of hooks) {
    context.signal.throwIfAborted();
    try {
      await hook(object, about, context);
    } catch (error) {
      context.signal.throwIfAborted();
      context.log.error({ error, operation: context.operation }, "A hook failed");
    }
  }
}
