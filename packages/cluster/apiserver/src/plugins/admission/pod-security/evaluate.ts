import { baselineChecks } from "./baseline.ts";
import type { Check, CheckPod, PodLike, Violation } from "./check.ts";
import type { LevelVersion } from "./policy.ts";
import { restrictedChecks } from "./restricted.ts";

/**
 * Returns why a Pod violates a level, in the order of the messages. Returns an empty list if it is allowed.
 */
export function evaluatePod({ level, minor }: LevelVersion, pod: PodLike): Violation[] {
  if (level === "privileged") return [];
  const restricted = level === "restricted" ? restrictedChecks.filter((check) => at(check, minor)) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  const baseline = baselineChecks.filter(({ id }) => !overridden.has(id));
  return [...baseline, ...restricted].flatMap((check) => at(check, minor)?.(pod) ?? []);
}

/** Returns the check of a version, or undefined if that version does not have it. */
function at({ versions }: Check, minor: number): CheckPod | undefined {
  return versions.findLast(({ from }) => from <= minor)?.check;
}

/** Formats violations as `hostPort (container "a" uses hostPort 80), privileged (…)`. */
export function details(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`))
    .join(", ");
}

export function reasons(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}
