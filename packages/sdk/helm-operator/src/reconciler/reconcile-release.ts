import type { Condition, KubeObject } from "@operator-path/client";
import type { Result } from "@operator-path/controller-runtime";
import type { ReleaseRequest } from "../helm/helm.ts";
import type { Release } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { HelmStatus } from "../status/conditions.ts";
import { valuesDigest } from "../values/values-digest.ts";
import { refuseForeign } from "./chart-check.ts";
import { isInSync, render } from "./compare.ts";
import { ensureFinalizer } from "./finalizer.ts";
import { type HookOperation, runHooks } from "./hooks.ts";
import { install } from "./install.ts";
import { manifestOf } from "./known-manifest.ts";
import { isPaused } from "./pause.ts";
import { recover } from "./recover.ts";
import { repair } from "./repair.ts";
import { pauseBefore } from "./retries.ts";
import type { Run } from "./run.ts";
import { readStateAnew } from "./state.ts";
import { uninstall, uninstallRelease } from "./uninstall.ts";
import { type FailedState, giveUp, upgrade, wasTried } from "./upgrade.ts";
import { valuesOf } from "./values.ts";

/** The operation that a reconcile needs, decided before it is carried out. */
interface Plan {
  operation: Exclude<HookOperation, "uninstall">;
  carryOut(): Promise<Release>;
}

/** Brings the release of one object to what the object says, a step after the other. */
export async function reconcileRelease(run: Run): Promise<Result> {
  const { settings, object, log, signal, status, memory } = run;
  if (await isPaused(run)) return {};
  if (object.metadata?.deletionTimestamp) return uninstallRelease(run);
  const state = await recover(run);
  if (state.kind === "busy") return { requeueAfter: state.milliseconds };
  refuseForeign(run, state);
  if (state.kind === "absent") status.notDeployed();
  if (state.kind === "deployed") {
    status.deployed(state.release, manifestOf(run, state.release).shown);
  }

  const values = await valuesOf(run);
  const request = { ...run.key, chart: settings.chart.path, values: values.given };
  const wanted = wantedBy(run, request);
  const pause = state.kind === "deployed" ? 0 : pauseBefore(run, wanted);
  if (pause > 0) return { requeueAfter: pause };
  const { operation, carryOut } = await planOf(run, state, request, wanted);
  await ensureFinalizer(run);
  status.initialized();
  // An install may take minutes, or wait for another helm. The status shows meanwhile that the object was
  // seen.
  if (operation === "install") await status.write(run);
  const about = { operation, log, signal };
  await runHooks(settings.preHooks, run.object, values.all, about);
  signal.throwIfAborted();
  const release = await carryOut();
  status.deployed(release, manifestOf(run, release).shown);
  const isRefused = memory.refused?.wanted === wanted;
  if (isRefused) status.refused(memory.refused?.message ?? "");
  else status.fine();
  if (!isRefused) {
    memory.inSync = fingerprintOf(wanted, release);
    delete memory.failure;
    delete memory.installFailed;
  }
  const reconsiderAfter = await repair(run, release);
  await runHooks(settings.postHooks, run.object, release, about);
  const looks = [settings.reconcilePeriod || undefined, reconsiderAfter].filter(
    (after) => after !== undefined,
  );
  return looks.length > 0 ? { requeueAfter: Math.min(...looks) } : {};
}

async function planOf(run: Run, state: ReleaseState, request: ReleaseRequest, wanted: string): Promise<Plan> {
  const { memory, settings } = run;
  const installIt = (absent: ReleaseState & { kind: "absent" }): Plan => ({
    operation: "install",
    carryOut: () => install(run, request, absent, wanted),
  });
  const upgradeIt: Plan = { operation: "upgrade", carryOut: () => upgrade(run, request, wanted) };
  const leave = (release: Release): Plan => ({ operation: "reconcile", carryOut: async () => release });

  if (memory.refused && memory.refused.wanted !== wanted) delete memory.refused;
  switch (state.kind) {
    case "absent":
      return installIt(state);
    case "deployed":
      if (memory.refused?.revision === state.release.revision) return leave(state.release);
      if (await isInSync(run, request, state.release, fingerprintOf(wanted, state.release))) {
        delete memory.refused;
        return leave(state.release);
      }
      return upgradeIt;
    case "failed": {
      const { lastDeployed } = state;
      if (!lastDeployed && settings.uninstallFailedInstall && isOwnFailedInstall(run, state)) {
        return { operation: "install", carryOut: () => installAnew(run, request, wanted) };
      }
      if (lastDeployed && settings.rollbackFailedUpgrade && wasTried(run, state, request, wanted)) {
        const message = memory.refused?.message ?? state.release.description ?? "the upgrade has failed";
        return { operation: "upgrade", carryOut: () => giveUp(run, lastDeployed, { wanted, message }) };
      }
      await render(run, request);
      return upgradeIt;
    }
    default:
      throw new Error(`the release ${run.key.name} is still ${state.kind} after its recovery`);
  }
}

/**
 * Returns whether this operator reported that its install of this release failed. An install that another
 * helm reported as failed (not ready in time, say) may work anyway: an upgrade goes on from there.
 */
function isOwnFailedInstall({ object, memory }: Run, { release }: FailedState): boolean {
  if (release.status !== "failed") return false;
  const { status }: KubeObject & { status?: HelmStatus } = object;
  const isReported = ({ type, status, reason }: Condition) =>
    type === "ReleaseFailed" && status === "True" && reason === "InstallError";
  return memory.installFailed === true || (status?.conditions ?? []).some(isReported);
}

/** The first install failed in a process that did not get to undo it. */
async function installAnew(run: Run, request: ReleaseRequest, wanted: string): Promise<Release> {
  await render(run, request);
  await uninstall(run);
  const state = await readStateAnew(run);
  if (state.kind !== "absent")
    throw new Error(`the release ${run.key.name} was uninstalled, but is ${state.kind}`);
  return install(run, request, state, wanted);
}

/** A fingerprint of what a release is made from: the chart, the values, and whether to force the upgrade. */
function wantedBy({ settings, annotated }: Run, { values }: ReleaseRequest): string {
  return [settings.chart.digest, valuesDigest(values), annotated.upgrade.force ?? false].join(" ");
}

function fingerprintOf(wanted: string, release: Release): string {
  return `${wanted} ${release.revision} ${release.lastDeployed}`;
}
