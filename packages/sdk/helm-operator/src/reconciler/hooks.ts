import type { KubeObject } from "@operator-path/client";
import type { Logger } from "@operator-path/controller-runtime";
import type { JsonObject } from "../json.ts";
import type { Release } from "../release/release.ts";

/** The operation around which a hook runs. "reconcile": the release is up to date. */
export type HookOperation = "install" | "upgrade" | "reconcile" | "uninstall";

/**
 * What a hook gets besides the object: the operation, a logger, and a signal that aborts with the reconcile.
 */
export interface HookContext {
  readonly operation: HookOperation;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs before helm (Go: hook.PreHook). Before an uninstall, `values` may be undefined: the object's values
 * may be invalid by then.
 */
export type PreHook = (
  object: KubeObject,
  values: JsonObject | undefined,
  context: HookContext,
) => void | Promise<void>;

/** Runs after helm (Go: hook.PostHook). After an uninstall there is no release. */
export type PostHook = (
  object: KubeObject,
  release: Release | undefined,
  context: HookContext,
) => void | Promise<void>;

/** Runs hooks one after the other. Logs what they throw and goes on: a hook must not block the release. */
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
