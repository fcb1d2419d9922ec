import { addFinalizer, mergeFrom, removeFinalizer } from "@operator-path/controller-runtime";
import type { Run } from "./run.ts";

/**
 * The finalizer that keeps an object until its release is uninstalled. Go's helm-operator-plugins uses the
 * same.
 */
export const uninstallFinalizer = "uninstall-helm-release";

/**
 * Adds the finalizer just before the first write. So a deleted object leaves no release behind, and an object
 * that never touched a release does not uninstall it.
 */
export async function ensureFinalizer(run: Run): Promise<void> {
  await write(run, addFinalizer(run.object, uninstallFinalizer));
}

/** Removes the finalizer when everything else is done. */
export async function dropFinalizer(run: Run): Promise<void> {
  await write(run, removeFinalizer(run.object, uninstallFinalizer));
}

async function write(run: Run, wanted: Run["object"]): Promise<void> {
  if (wanted === run.object) return;
  // A merge patch replaces the whole list, so it must not overwrite another writer's change.
  const patch = mergeFrom(run.object, { optimisticLock: true });
  run.object = await run.client.patch(wanted, patch, { signal: run.signal });
}
