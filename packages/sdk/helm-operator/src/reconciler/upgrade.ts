import { TerminalError } from "@operator-path/controller-runtime";
import type { ReleaseRequest } from "../helm/helm.ts";
import type { Release, Revision } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import { valuesDigest } from "../values/values.ts";
import { ownerLabels } from "./release-owner.ts";
import { reportOverrides } from "./render.ts";
import { noteFailure, type Refused, type Run } from "./run.ts";
import { readDeployed, rereadState } from "./state.ts";
import { messageOf } from "./status-report.ts";

/** Rollbacks after the same upgrade: one, and two more if rollbacks fail. */
const maxRollbacks = 3;

/** A release whose newest revision failed. */
export type FailedState = ReleaseState & { kind: "failed" };

/** Upgrades the rendered release. A failure is recorded, and rolled back if it left the release failed. */
export async function upgrade(run: Run, request: ReleaseRequest, wanted: string): Promise<Release> {
  const { settings, annotated, signal, object, events, log, memory } = run;
  const { maxReleaseHistory: maxHistory } = settings;
  try {
    const labels = ownerLabels(settings.resource);
    const options = { ...annotated.upgrade, maxHistory, labels, signal, validated: true };
    await settings.helm.upgrade(request, options);
  } catch (error) {
    noteFailure(run, wanted);
    if (!signal.aborted) await afterFailure(run, error, wanted);
    throw error;
  }
  delete memory.refused;
  const release = await readDeployed(run);
  log.info({ revision: release.revision }, "Release upgraded");
  events.event(object, "Normal", "Upgraded", `release ${release.name} to revision ${release.revision}`);
  reportOverrides(run);
  return release;
}

async function afterFailure(run: Run, error: unknown, wanted: string): Promise<void> {
  const { status, events, object, settings } = run;
  status.irreconcilable("ReconcileError", error);
  status.releaseFailed("UpgradeError", error);
  events.event(object, "Warning", "UpgradeFailed", messageOf(error));
  const left = await rereadState(run);
  // Otherwise helm failed before it wrote anything: there is nothing to undo.
  if (left.kind === "failed" && left.lastDeployed && settings.rollbackFailedUpgrade) {
    await giveUp(run, left.lastDeployed, { wanted, message: messageOf(error) });
  }
}

/** Returns whether this very upgrade was tried and failed, in this process or an earlier one. */
export function wasTried(
  { memory, settings }: Run,
  { release }: FailedState,
  request: ReleaseRequest,
  wanted: string,
): boolean {
  if (memory.refused) return memory.refused.wanted === wanted;
  return (
    release.status === "failed" &&
    // An upgrade that was stopped with its operator has not failed.
    !/context canceled/.test(release.description ?? "") &&
    release.chart.version === settings.chart.version &&
    valuesDigest(release.values) === valuesDigest(request.values)
  );
}

/**
 * Rolls back to the revision before, and remembers that the desired upgrade failed. Otherwise upgrades and
 * rollbacks would alternate without end.
 */
export async function giveUp(
  run: Run,
  { revision }: Revision,
  { wanted, message }: Pick<Refused, "wanted" | "message">,
): Promise<Release> {
  const { memory, events, object, log } = run;
  const before = memory.refused?.wanted === wanted ? memory.refused.rollbacks : 0;
  if (before >= maxRollbacks) {
    throw new TerminalError(
      new Error(
        `the release was rolled back ${before} times and is still not deployed: change its values, or repair it with helm`,
      ),
    );
  }
  memory.refused = { wanted, message, rollbacks: before + 1, revision: 0 };
  await rollBack(run, revision).catch((error: unknown) => {
    noteFailure(run, wanted);
    throw error;
  });
  const release = await readDeployed(run);
  memory.refused.revision = release.revision;
  log.info({ revision: release.revision, to: revision }, "Release rolled back");
  events.event(object, "Warning", "RolledBack", `to revision ${revision}, as revision ${release.revision}`);
  return release;
}

/** Rolls back to a revision, of which helm makes a new one. */
export async function rollBack(run: Run, revision: number): Promise<void> {
  const { key, settings, signal } = run;
  delete run.memory.inSync;
  try {
    const { maxReleaseHistory: maxHistory } = settings;
    await settings.helm.rollback({ ...key, revision, maxHistory, signal });
  } finally {
    if (!signal.aborted) await rereadState(run);
  }
}
