import type { Run } from "./run.ts";

/** Operations and recoveries are counted apart. */
type Slot = "failure" | "recoveryFailure";

/**
 * Records that an operation of helm failed. Each operation writes or deletes Secrets, and those trigger the
 * next reconcile. Without this pause, an impossible install would be repeated without end.
 */
export function noteFailure({ memory, settings, clock }: Run, wanted: string, slot: Slot = "failure"): void {
  const before = memory[slot]?.wanted === wanted ? memory[slot].count : 0;
  const { base, max } = settings.retryDelays;
  const wait = Math.min(base * 2 ** Math.min(before, 1_023), max);
  memory[slot] = { wanted, count: before + 1, until: clock.steady() + wait };
}

/** Returns the milliseconds until `wanted` may be tried again. Anything new may be tried at once. */
export function pauseBefore({ memory, clock }: Run, wanted: string, slot: Slot = "failure"): number {
  const last = memory[slot];
  if (last?.wanted !== wanted) return 0;
  return Math.max(0, last.until - clock.steady());
}
