import type { ReleaseState } from "../release/release-state.ts";
import type { Run } from "./run.ts";

/** Whether the release of this name is one of another chart: somebody else's, or that of an object of another kind. */
export function isForeign({ settings }: Run, state: ReleaseState): boolean {
  return state.kind !== "absent" && state.release.chart.name !== settings.chart.name;
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
