import type { KubeObject } from "@operator-path/client";
import type { Release } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { HelmStatus } from "../status/conditions.ts";
import { deployedRelease } from "../status/deployed-release.ts";
import type { Run } from "./run.ts";

/**
 * Returns whether the release of this name belongs to an object of another kind, or comes from another chart.
 */
export function isForeign({ settings, memory }: Run, state: ReleaseState): boolean {
  if (state.kind === "absent") return false;
  return memory.read?.otherOwner !== undefined || state.release.chart.name !== settings.chart.name;
}

/**
 * Returns whether the object's status shows this very release, so that only its chart was renamed. The
 * release's name alone proves nothing: the object's own release may have been replaced by another one.
 */
export function isShownAsOwn({ object, key, memory }: Run, { manifest }: Release): boolean {
  if (memory.read?.otherOwner !== undefined) return false;
  const { status }: KubeObject & { status?: HelmStatus } = object;
  const shown = deployedRelease(key.name, manifest);
  const known = status?.deployedRelease;
  return known?.name === shown.name && known.manifest === shown.manifest;
}

/** @throws Error when the release is foreign, so that the reconcile does not touch it */
export function refuseForeign(run: Run, state: ReleaseState): void {
  if (state.kind === "absent" || !isForeign(run, state)) return;
  const { key, settings, status, memory } = run;
  const { otherOwner } = memory.read ?? {};
  const error = new Error(
    otherOwner !== undefined
      ? `the release ${key.name} in the namespace ${key.namespace} belongs to the ${otherOwner}: rename one of the two objects, or delete that one first`
      : `the release ${key.name} in the namespace ${key.namespace} is of the chart ${state.release.chart.name}, but this object needs the chart ${settings.chart.name}: rename the object, or uninstall that release`,
  );
  status.irreconcilable("ErrorGettingReleaseState", error);
  throw error;
}
