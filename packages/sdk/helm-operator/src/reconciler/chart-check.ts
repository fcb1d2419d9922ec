import type { KubeObject } from "@operator-path/client";
import type { Release } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { HelmStatus } from "../status/conditions.ts";
import { deployedRelease } from "../status/deployed-release.ts";
import type { Run } from "./run.ts";

/** Whether the release of this name is that of an object of another kind, or of another chart: somebody else's. */
export function isForeign({ settings, memory }: Run, state: ReleaseState): boolean {
  if (state.kind === "absent") return false;
  return memory.read?.otherOwner !== undefined || state.release.chart.name !== settings.chart.name;
}

/**
 * Whether the object's status shows this very release as its own: the chart was given another name since. The name alone says
 * nothing: somebody may have uninstalled the object's, and installed another.
 */
export function isShownAsOwn({ object, key, memory }: Run, { manifest }: Release): boolean {
  if (memory.read?.otherOwner !== undefined) return false;
  const { status }: KubeObject & { status?: HelmStatus } = object;
  const shown = deployedRelease(key.name, manifest);
  const known = status?.deployedRelease;
  return known?.name === shown.name && known.manifest === shown.manifest;
}

/** @throws Error when it is: nothing of it is to be touched */
export function refuseForeign(run: Run, state: ReleaseState): void {
  if (state.kind === "absent" || !isForeign(run, state)) return;
  const { key, settings, status, memory } = run;
  const { otherOwner } = memory.read ?? {};
  const error = new Error(
    otherOwner !== undefined
      ? `the release ${key.name} in the namespace ${key.namespace} is that of the ${otherOwner}: give one of the two objects another name, or delete that one first`
      : `there is a release ${key.name} of the chart ${state.release.chart.name} in the namespace ${key.namespace}, and this object's is of the chart ${settings.chart.name}: give the object another name, or uninstall that release`,
  );
  status.irreconcilable("ErrorGettingReleaseState", error);
  throw error;
}
