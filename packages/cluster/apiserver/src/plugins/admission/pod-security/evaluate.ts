import { baselineChecks } from "./baseline.ts";
import type { Check, CheckPod, PodLike, Violation } from "./check.ts";
import type { LevelVersion } from "./policy.ts";
import { restrictedChecks } from "./restricted.ts";

/** What a Pod violates of a level, in the order of the messages. Nothing: it may pass. */
export function evaluatePod({ level, minor }: LevelVersion, pod: PodLike): Violation[] {
  if (level === "privileged") return [];
  const restricted = level === "restricted" ? restrictedChecks.filter((check) => at(check, minor)) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  const baseline = baselineChecks.filter(({ id }) => !overridden.has(id));
  return [...baseline, ...restricted].flatMap((check) => at(check, minor)?.(pod) ?? []);
}

/** The check as it was in a version; undefined: it was not there yet. */
function at({ versions }: Check, minor: number): CheckPod | undefined {
  return versions.findLast(({ from }) => from <= minor)?.check;
}

/** `hostPort (container "a" uses hostPort 80), privileged (…)` */
export function details(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`))
    .join(", ");
}

export function reasons(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}
