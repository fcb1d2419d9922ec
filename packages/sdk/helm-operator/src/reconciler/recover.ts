import { type Recovery, recovery } from "../release/recovery.ts";
import type { ReleaseState } from "../release/release-state.ts";
import { isForeign } from "./release-owner.ts";
import { noteFailure, pauseBefore, type Run } from "./run.ts";
import { readState, rereadState } from "./state.ts";
import { ensureFinalizer, uninstall } from "./uninstall.ts";
import { rollBack } from "./upgrade.ts";

/** Unfinished upgrades to the same chart and values before the operator gives up. */
const maxUnfinished = 3;

/**
 * Another helm may be working on the release, or a failed recovery is in back-off. Try again after
 * `milliseconds`.
 */
export interface Busy {
  kind: "busy";
  milliseconds: number;
}

/**
 * Returns the state of the release. First recovers it if an operation was abandoned because its helm (the
 * operator's or a person's) was killed. Uninstalls after an unfinished install or uninstall. After an
 * unfinished upgrade or rollback, rolls back to the last deployed revision. If none was deployed, rolls back
 * to the previous revision, or else uninstalls. Returns Busy while the operation may still be running, or
 * during the back-off after a failed recovery.
 */
export async function recover(run: Run): Promise<ReleaseState | Busy> {
  const { clock, settings, signal, status } = run;
  const state = await readState(run);
  if (state.kind !== "pending" && state.kind !== "uninstalling") return state;
  if (isForeign(run, state)) return state;
  const way = recovery(state, { now: clock.now(), patience: settings.pendingPatience });
  if (way.kind === "none") return state;
  if (way.kind === "wait") return { kind: "busy", milliseconds: way.milliseconds };
  const pause = pauseBefore(run, "recover", "recoveryFailure");
  if (pause > 0) return { kind: "busy", milliseconds: pause };
  await ensureFinalizer(run);
  try {
    await goBack(run, state, way);
  } catch (error) {
    noteFailure(run, "recover", "recoveryFailure");
    if (!signal.aborted) status.irreconcilable("ReconcileError", error);
    throw error;
  }
  delete run.memory.recoveryFailure;
  const recovered = await rereadState(run);
  if (way.kind === "rollback") refuseEndlessUpgrade(run, recovered);
  return recovered;
}

async function goBack(
  run: Run,
  state: ReleaseState & { kind: "pending" | "uninstalling" },
  way: Recovery & { kind: "rollback" | "uninstall" },
): Promise<void> {
  const { log, events, object } = run;
  const { revision } = state.release;
  const found =
    state.kind === "pending" ? `its ${state.operation} was not finished` : "its uninstall was not finished";
  log.warn({ revision, way: way.kind }, "Recovering an abandoned release");
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
}

/**
 * Gives up an upgrade that was interrupted too often. helm may run out of memory in the same upgrade each
 * time, so that the tries would never end.
 */
function refuseEndlessUpgrade({ memory }: Run, state: ReleaseState): void {
  const { failure } = memory;
  if (state.kind !== "deployed" || !failure || failure.count < maxUnfinished) return;
  const message = `the upgrade was not finished ${failure.count} times`;
  memory.refused = { wanted: failure.wanted, message, rollbacks: 0, revision: state.release.revision };
}
