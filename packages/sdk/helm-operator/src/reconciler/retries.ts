import type { Run } from "./run.ts";

/** What was wanted, or the way back from it: neither takes the other's count. */
type Slot = "failure" | "recoveryFailure";

/**
 * An operation of helm has failed. Each leaves Secrets behind, or takes them away, and each of those is a reason to look
 * again: without a pause of its own, installing what cannot be installed would go on without end.
 */
export function noteFailure({ memory, settings, clock }: Run, wanted: string, slot: Slot = "failure"): void {
  const before = memory[slot]?.wanted === wanted ? memory[slot].count : 0;
  const { base, max } = settings.retryDelays;
  const wait = Math.min(base * 2 ** Math.min(before, 1_023), max);
  memory[slot] = { wanted, count: before + 1, until: clock.steady() + wait };
}

/** Milliseconds until what is wanted may be tried again. What is wanted now, and was not before, may be tried at once. */
export function pauseBefore({ memory, clock }: Run, wanted: string, slot: Slot = "failure"): number {
  const last = memory[slot];
  if (last?.wanted !== wanted) return 0;
  return Math.max(0, last.until - clock.steady());
}
