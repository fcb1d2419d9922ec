import { recovery } from "../release/recovery.ts";
import type { ReleaseState } from "../release/release-state.ts";
import { ensureFinalizer } from "./finalizer.ts";
import { rollBack } from "./roll-back.ts";
import type { Run } from "./run.ts";
import { readState, readStateAnew } from "./state.ts";
import { uninstall } from "./uninstall.ts";

/** A release that somebody else may be working on, for the rest of the patience with it. */
export interface Busy {
  kind: "busy";
  milliseconds: number;
}

/**
 * Ends what was begun and not finished, because a helm (ours, of a process that was killed, or a person's) died over it: an
 * install is uninstalled, an upgrade or rollback goes back to what was deployed last, or came before.
 */
export async function recover(run: Run): Promise<ReleaseState | Busy> {
  const { clock, settings, log, events, object } = run;
  const state = await readState(run);
  if (state.kind !== "pending" && state.kind !== "uninstalling") return state;
  const way = recovery(state, { now: clock.now(), patience: settings.pendingPatience });
  if (way.kind === "none") return state;
  if (way.kind === "wait") return { kind: "busy", milliseconds: way.milliseconds };
  await ensureFinalizer(run);
  const { revision } = state.release;
  const found =
    state.kind === "pending" ? `its ${state.operation} was not finished` : "its uninstall was not finished";
  log.warn({ revision, way: way.kind }, "The release was left behind: recovering it");
  if (way.kind === "rollback") {
    await rollBack(run, way.revision);
    events.event(
      object,
      "Warning",
      "Recovered",
      `revision ${revision}: ${found}; rolled back to revision ${way.revision}`,
    );
  } else {
    await uninstall(run);
    events.event(object, "Warning", "Recovered", `revision ${revision}: ${found}; uninstalled`);
  }
  return readStateAnew(run);
}
