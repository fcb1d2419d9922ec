import {
  addFinalizer,
  containsFinalizer,
  mergeFrom,
  type Result,
  removeFinalizer,
} from "@operator-path/controller-runtime";
import { HelmError } from "../helm/helm-error.ts";
import { recovery } from "../release/recovery.ts";
import { runHooks } from "./hooks.ts";
import { isForeign, isShownAsOwn } from "./release-owner.ts";
import { valuesOf } from "./render.ts";
import { noteFailure, pauseBefore, type Run } from "./run.ts";
import { readState, rereadState } from "./state.ts";
import { messageOf } from "./status-report.ts";

/** The finalizer that keeps an object until its release is uninstalled, as in Go's helm-operator-plugins. */
export const uninstallFinalizer = "uninstall-helm-release";

/**
 * Uninstalls the release of an object that is being deleted. The finalizer stays until everything else is
 * done, so the next reconcile repeats what was interrupted.
 */
export async function uninstallRelease(run: Run): Promise<Result> {
  const { object, settings, log, signal, status, events, clock } = run;
  if (!containsFinalizer(object, uninstallFinalizer)) return {};
  const state = await readState(run);
  if (state.kind !== "absent" && isForeign(run, state) && !isShownAsOwn(run, state.release)) {
    const whose = run.memory.read?.otherOwner ?? `chart ${state.release.chart.name}`;
    const message = `release ${run.key.name} belongs to the ${whose}, not to this object: uninstall it with helm if it is unused`;
    events.event(object, "Warning", "ReleaseLeft", message);
  } else if (state.kind !== "absent") {
    if (state.kind === "pending") {
      const way = recovery(state, { now: clock.now(), patience: settings.pendingPatience });
      if (way.kind === "wait") return { requeueAfter: way.milliseconds };
    }
    const wanted = `uninstall ${JSON.stringify(run.annotated.uninstall)}`;
    const pause = pauseBefore(run, wanted);
    if (pause > 0) return { requeueAfter: pause };
    const hookContext = { operation: "uninstall", log, signal } as const;
    // The release is uninstalled even if the object's values are invalid.
    const values = await valuesOf(run).catch(() => undefined);
    await runHooks(settings.preHooks, object, values?.all, hookContext);
    try {
      await uninstall(run);
    } catch (error) {
      noteFailure(run, wanted);
      if (!signal.aborted) {
        events.event(object, "Warning", "UninstallFailed", messageOf(error));
        status.irreconcilable("ReconcileError", error);
        status.releaseFailed("UninstallError", error);
      }
      throw error;
    }
    await runHooks(settings.postHooks, object, undefined, hookContext);
    log.info("Release uninstalled");
    events.event(object, "Normal", "Uninstalled", `release ${run.key.name}`);
  }
  run.drift.forget(run.key);
  status.uninstalled();
  await status.write(run);
  await dropFinalizer(run);
  return {};
}

/**
 * Uninstalls the release. It is deleted when this returns. An Event reports what helm could not do
 * afterwards.
 *
 * @throws Error when the release still exists
 */
export async function uninstall(run: Run): Promise<void> {
  const { key, settings, annotated, signal, log, events, object } = run;
  const timeout = settings.waitForDeletionTimeout;
  delete run.memory.inSync;
  try {
    const waiting = timeout > 0 ? { wait: true, timeout } : {};
    await settings.helm.uninstall({ ...key, ...annotated.uninstall, ...waiting, signal });
  } catch (error) {
    if (signal.aborted || (await rereadState(run)).kind !== "absent") throw error;
    // Another helm was faster, or helm failed after it had deleted the release: in a hook, say.
    if (error instanceof HelmError && error.kind === "not-found") return;
    log.warn({ error }, "The release is deleted, but its uninstall is incomplete");
    events.event(object, "Warning", "UninstallIncomplete", messageOf(error));
    return;
  }
  // With --ignore-not-found, helm also ignores what it cannot read.
  if ((await rereadState(run)).kind !== "absent") {
    throw new Error(`helm uninstall of ${key.name} succeeded, but the release still exists`);
  }
}

/**
 * Adds the finalizer just before the first write. So a deleted object leaves no release behind, and an object
 * that never touched a release does not uninstall it.
 */
export async function ensureFinalizer(run: Run): Promise<void> {
  await write(run, addFinalizer(run.object, uninstallFinalizer));
}

/** Removes the finalizer, after everything else is done. */
async function dropFinalizer(run: Run): Promise<void> {
  await write(run, removeFinalizer(run.object, uninstallFinalizer));
}

async function write(run: Run, wanted: Run["object"]): Promise<void> {
  if (wanted === run.object) return;
  // A merge patch replaces the whole list, so it must not overwrite another writer's change.
  const patch = mergeFrom(run.object, { optimisticLock: true });
  run.object = await run.client.patch(wanted, patch, { signal: run.signal });
}
