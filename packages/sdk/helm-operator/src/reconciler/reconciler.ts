import type { Condition, KubeObject } from "@operator-path/client";
import {
  ignoreNotFound,
  type Reconciler,
  type Request,
  type Result,
} from "@operator-path/controller-runtime";
import { matchLabels } from "@operator-path/informers";
import type { ReleaseRequest } from "../helm/helm.ts";
import type { Release } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { HelmStatus } from "../status/conditions.ts";
import { valuesDigest } from "../values/values.ts";
import { annotatedOptions, helmAnnotations } from "./annotations.ts";
import { type HookOperation, runHooks } from "./hooks.ts";
import { install } from "./install.ts";
import { recover } from "./recover.ts";
import { refuseForeign } from "./release-owner.ts";
import { isInSync, render, valuesOf } from "./render.ts";
import { repair } from "./repair.ts";
import { createMemories, type HelmContext, pauseBefore, type Run } from "./run.ts";
import { manifestOf, rereadState } from "./state.ts";
import { createStatusReport } from "./status-report.ts";
import { ensureFinalizer, uninstall, uninstallRelease } from "./uninstall.ts";
import { type FailedState, giveUp, upgrade, wasTried } from "./upgrade.ts";

/**
 * Returns a reconciler that keeps a Helm release for each object, under the object's name (Go:
 * reconciler.Reconciler). It writes the status after each reconcile, whatever its outcome.
 */
export function helmReconciler(context: HelmContext): Reconciler {
  const { settings, client, clock } = context;
  const memories = createMemories();
  const names = { ...helmAnnotations, ...settings.annotations };

  function isMine({ metadata }: KubeObject): boolean {
    // The controller's selector ignores events of dependents and release Secrets, so check the object itself.
    return settings.selector === undefined || matchLabels(settings.selector, metadata?.labels);
  }

  return {
    async reconcile(request, { signal, log, reconcileID }) {
      const object = await client.get(settings.resource, request, { signal }).catch(ignoreNotFound);
      const key = `${request.namespace}/${request.name}`;
      if (!object) {
        memories.forget(key);
        context.drift.forget(keyOf(request));
      }
      if (!object || !isMine(object)) return {};
      const run: Run = {
        ...context,
        object,
        key: keyOf(request),
        annotated: annotatedOptions(object, names),
        memory: memories.of(key, object.metadata?.uid ?? ""),
        status: createStatusReport(object, clock),
        // A logger from the options names the object on each line, too.
        log: settings.log?.child({ [settings.resource.kind]: request, ...request, reconcileID }) ?? log,
        signal,
      };
      return withStatusWritten(run, () => reconcileRelease(run));
    },
  };
}

/**
 * Reconciles the release of one object, in this order:
 *
 * 1. Leave a paused object alone. Uninstall the release of a deleted one.
 * 2. Recover an abandoned operation. Refuse a release that belongs to another object or chart.
 * 3. Compute the values, and decide on the operation: install, upgrade, or none.
 * 4. Add the finalizer, run the preHooks, and carry the operation out.
 * 5. Repair objects that have drifted, and run the postHooks.
 *
 * Any step may throw. The steps report what they find out to `run.status`, which the caller writes.
 */
async function reconcileRelease(run: Run): Promise<Result> {
  const { settings, object, log, signal, status, memory } = run;
  if (await isPaused(run)) return {};
  if (object.metadata?.deletionTimestamp) return uninstallRelease(run);

  const state = await recover(run);
  if (state.kind === "busy") return { requeueAfter: state.milliseconds };
  refuseForeign(run, state);
  if (state.kind === "absent") status.notDeployed();
  if (state.kind === "deployed") status.deployed(state.release, manifestOf(run, state.release).shown);

  const values = await valuesOf(run);
  const request = { ...run.key, chart: settings.chart.path, values: values.given };
  const wanted = wantedBy(run, request);
  const pause = state.kind === "deployed" ? 0 : pauseBefore(run, wanted);
  if (pause > 0) return { requeueAfter: pause };
  const { operation, carryOut } = await planOf(run, state, request, wanted);

  await ensureFinalizer(run);
  status.initialized();
  // An install may take minutes, or wait for another helm. The status says meanwhile that it was seen.
  if (operation === "install") await status.write(run);
  const hookContext = { operation, log, signal };
  await runHooks(settings.preHooks, run.object, values.all, hookContext);
  signal.throwIfAborted();
  const release = await carryOut();
  status.deployed(release, manifestOf(run, release).shown);
  if (memory.refused?.wanted === wanted) {
    status.refused(memory.refused.message);
  } else {
    status.fine();
    memory.inSync = fingerprintOf(wanted, release);
    delete memory.failure;
    delete memory.installFailed;
  }

  const repairAfter = await repair(run, release);
  await runHooks(settings.postHooks, run.object, release, hookContext);
  const requeues = [settings.reconcilePeriod || undefined, repairAfter].filter(
    (after) => after !== undefined,
  );
  return requeues.length > 0 ? { requeueAfter: Math.min(...requeues) } : {};
}

/** Returns whether the object is paused, and reports it in the status. */
async function isPaused({ settings, object, status }: Run): Promise<boolean> {
  const paused = (await settings.isPaused?.(object)) ?? false;
  status.paused(paused);
  return paused;
}

/** The operation that a reconcile needs. "reconcile": the release stays as it is. */
interface Plan {
  operation: Exclude<HookOperation, "uninstall">;
  carryOut(): Promise<Release>;
}

/** Decides on the operation, and writes nothing. May need a dry run to compare a deployed release. */
async function planOf(run: Run, state: ReleaseState, request: ReleaseRequest, wanted: string): Promise<Plan> {
  const { memory, settings } = run;
  const planInstall = (absent: ReleaseState & { kind: "absent" }): Plan => ({
    operation: "install",
    carryOut: () => install(run, request, absent, wanted),
  });
  const upgradePlan: Plan = { operation: "upgrade", carryOut: () => upgrade(run, request, wanted) };
  const keep = (release: Release): Plan => ({ operation: "reconcile", carryOut: async () => release });

  if (memory.refused && memory.refused.wanted !== wanted) delete memory.refused;
  switch (state.kind) {
    case "absent":
      return planInstall(state);
    case "deployed":
      if (memory.refused?.revision === state.release.revision) return keep(state.release);
      if (await isInSync(run, request, state.release, fingerprintOf(wanted, state.release))) {
        delete memory.refused;
        return keep(state.release);
      }
      return upgradePlan;
    case "failed": {
      const { lastDeployed } = state;
      if (!lastDeployed && settings.uninstallFailedInstall && isOwnFailedInstall(run, state)) {
        return { operation: "install", carryOut: () => reinstall(run, request, wanted) };
      }
      if (lastDeployed && settings.rollbackFailedUpgrade && wasTried(run, state, request, wanted)) {
        const message = memory.refused?.message ?? state.release.description ?? "the upgrade has failed";
        return { operation: "upgrade", carryOut: () => giveUp(run, lastDeployed, { wanted, message }) };
      }
      await render(run, request);
      return upgradePlan;
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

/**
 * Uninstalls a failed first install that was not cleaned up, for example because the operator stopped. Then
 * installs again.
 */
async function reinstall(run: Run, request: ReleaseRequest, wanted: string): Promise<Release> {
  await render(run, request);
  await uninstall(run);
  const state = await rereadState(run);
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

/** Runs the work and writes the status. A failure to write it does not hide the work's own error. */
async function withStatusWritten<T>(run: Run, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (!run.signal.aborted) {
      await run.status.write(run).catch((second: unknown) => {
        run.log.error({ error: second }, "The status could not be written");
      });
    }
    throw error;
  }
  await run.status.write(run);
  return result;
}

function keyOf({ namespace, name }: Request): Request {
  return { namespace, name };
}
