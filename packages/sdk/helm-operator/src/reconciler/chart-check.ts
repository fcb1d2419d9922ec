import type { KubeObject } from "@operator-path/client";
import type { Release } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { HelmStatus } from "../status/conditions.ts";
import { deployedRelease } from "../status/deployed-release.ts";
import type { Run } from "./run.ts";

/** Whether the release of this name is one of another chart: somebody else's, or that of an object of another kind. */
export function isForeign({ settings }: Run, state: ReleaseState): boolean {
  return state.kind !== "absent" && state.release.chart.name !== settings.chart.name;
}

/**
 * Whether the object's status shows this very release as its own: the chart was given another name since. The name alone says
 * nothing: somebody may have uninstalled the object's, and installed another.
 */
export function isShownAsOwn({ object, key }: Run, { manifest }: Release): boolean {
  const { status }: KubeObject & { status?: HelmStatus } = object;
  const shown = deployedRelease(key.name, manifest);
  const known = status?.deployedRelease;
  return known?.name === shown.name && known.manifest === shown.manifest;
}

/** @throws Error when it is: nothing of it is to be touched */
export function refuseForeign(run: Run, state: ReleaseState): void {
  if (state.kind === "absent" || !isForeign(run, state)) return;
  const { key, settings, status } = run;
  const error = new Error(
    `there is a release ${key.name} of the chart ${state.release.chart.name} in the namespace ${key.namespace}, and this object's is of the chart ${settings.chart.name}: give the object another name, or uninstall that release`,
  );
  status.irreconcilable("ErrorGettingReleaseState", error);
  throw error;
}
