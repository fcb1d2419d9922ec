import type { Result } from "@operator-path/controller-runtime";
import { containsFinalizer } from "@operator-path/controller-runtime";
import { HelmError } from "../helm/helm-error.ts";
import { recovery } from "../release/recovery.ts";
import { isForeign, isShownAsOwn } from "./chart-check.ts";
import { dropFinalizer, uninstallFinalizer } from "./finalizer.ts";
import { runHooks } from "./hooks.ts";
import { messageOf } from "./message-of.ts";
import { noteFailure, pauseBefore } from "./retries.ts";
import type { Run } from "./run.ts";
import { readState, readStateAnew } from "./state.ts";
import { valuesOf } from "./values.ts";

/**
 * The object is being deleted: its release goes first. What is interrupted here is done again by the next reconcile, as the
 * finalizer is there until everything else has gone.
 */
export async function uninstallRelease(run: Run): Promise<Result> {
  const { object, settings, log, signal, status, events, clock } = run;
  if (!containsFinalizer(object, uninstallFinalizer)) return {};
  const state = await readState(run);
  if (state.kind !== "absent" && isForeign(run, state) && !isShownAsOwn(run, state.release)) {
    const whose = run.memory.read?.otherOwner ?? `chart ${state.release.chart.name}`;
    const message = `release ${run.key.name} is of the ${whose}, and not this object's: if nobody needs it, uninstall it with helm`;
    events.event(object, "Warning", "ReleaseLeft", message);
  } else if (state.kind !== "absent") {
    if (state.kind === "pending") {
      const way = recovery(state, { now: clock.now(), patience: settings.pendingPatience });
      if (way.kind === "wait") return { requeueAfter: way.milliseconds };
    }
    const wanted = `uninstall ${JSON.stringify(run.annotated.uninstall)}`;
    const pause = pauseBefore(run, wanted);
    if (pause > 0) return { requeueAfter: pause };
    const about = { operation: "uninstall", log, signal } as const;
    // It goes, whether its values are valid or not.
    const values = await valuesOf(run).catch(() => undefined);
    await runHooks(settings.preHooks, object, values?.all, about);
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
    await runHooks(settings.postHooks, object, undefined, about);
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
 * @throws Error when the release is still there; it is gone when this returns, and what helm has left undone after that is
 * told by an Event
 */
export async function uninstall(run: Run): Promise<void> {
  const { key, settings, annotated, signal, log, events, object } = run;
  const timeout = settings.waitForDeletionTimeout;
  delete run.memory.inSync;
  try {
    const waiting = timeout > 0 ? { wait: true, timeout } : {};
    await settings.helm.uninstall({ ...key, ...annotated.uninstall, ...waiting, signal });
  } catch (error) {
    if (signal.aborted || (await readStateAnew(run)).kind !== "absent") throw error;
    // Somebody else was quicker, or helm could not do what comes after the release: its hooks, say.
    if (error instanceof HelmError && error.kind === "not-found") return;
    log.warn({ error }, "The release is gone, and its uninstall not complete");
    events.event(object, "Warning", "UninstallIncomplete", messageOf(error));
    return;
  }
  // A helm that is told to ignore what it cannot find ignores what it cannot read, too.
  if ((await readStateAnew(run)).kind !== "absent") {
    throw new Error(`helm uninstall of ${key.name} ended without an error, and the release is still there`);
  }
}
