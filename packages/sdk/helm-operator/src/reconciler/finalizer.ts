import { addFinalizer, mergeFrom, removeFinalizer } from "@operator-path/controller-runtime";
import type { Run } from "./run.ts";

export const uninstallFinalizer = "uninstall-helm-release";

/**
 * Just before something is done: an object that goes must not leave a release behind, nor take one along that it never
 * touched.
 */
export async function ensureFinalizer(run: Run): Promise<void> {
  await write(run, addFinalizer(run.object, uninstallFinalizer));
}

/** In the end: nothing is left that would need it. */
export async function dropFinalizer(run: Run): Promise<void> {
  await write(run, removeFinalizer(run.object, uninstallFinalizer));
}

async function write(run: Run, wanted: Run["object"]): Promise<void> {
  if (wanted === run.object) return;
  // A merge patch replaces the whole list: not to one that somebody else has changed.
  const patch = mergeFrom(run.object, { optimisticLock: true });
  run.object = await run.client.patch(wanted, patch, { signal: run.signal });
}
