import type { ReleaseRequest } from "../helm/helm.ts";
import { HelmError } from "../helm/helm-error.ts";
import type { Release } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import { ownerLabel, ownerLabels } from "./release-owner.ts";
import { render, reportOverrides } from "./render.ts";
import { noteFailure, type Run } from "./run.ts";
import { readDeployed, rereadState } from "./state.ts";
import { messageOf } from "./status-report.ts";
import { uninstall } from "./uninstall.ts";

/**
 * Installs the release. Renders it first, so that rejected values, or a release that is too large, leave
 * nothing behind.
 */
export async function install(
  run: Run,
  request: ReleaseRequest,
  state: ReleaseState & { kind: "absent" },
  wanted: string,
): Promise<Release> {
  const { settings, annotated, signal, object, events, log } = run;
  const { validated } = await render(run, request);
  try {
    const replace = state.uninstalled !== undefined;
    await settings.helm.install(request, {
      ...annotated.install,
      ...{ replace, validated },
      labels: ownerLabels(settings.resource),
      signal,
    });
  } catch (error) {
    noteFailure(run, wanted);
    if (!signal.aborted) await afterFailure(run, error);
    throw error;
  }
  const release = await readDeployed(run);
  log.info({ revision: release.revision }, "Release installed");
  events.event(object, "Normal", "Installed", `release ${release.name} of chart ${chartText(release)}`);
  reportOverrides(run);
  return release;
}

/** Uninstalls what a failed install has left, because it would block the next install. */
async function afterFailure(run: Run, error: unknown): Promise<void> {
  const { status, events, object, settings } = run;
  status.irreconcilable("ReconcileError", error);
  const left = await rereadState(run);
  // Another helm was faster. Its release is not ours to remove.
  if (error instanceof HelmError && error.kind === "exists") return;
  // A release without this kind's label belongs to a person, or to another operator.
  const ours = ownerLabels(settings.resource)[ownerLabel];
  const isOwn = left.kind !== "absent" && left.release.labels?.[ownerLabel] === ours;
  const undo = settings.uninstallFailedInstall && isOwn;
  status.releaseFailed("InstallError", error);
  run.memory.installFailed = true;
  events.event(
    object,
    "Warning",
    "InstallFailed",
    `${messageOf(error)}${undo ? "; uninstalling what is left" : ""}`,
  );
  if (undo) await uninstall(run);
}

function chartText({ chart }: Release): string {
  return `${chart.name} ${chart.version}`;
}
