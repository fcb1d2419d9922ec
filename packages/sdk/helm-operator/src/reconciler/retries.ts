import type { Run } from "./run.ts";

/**
 * An operation of helm has failed. Each leaves Secrets behind, or takes them away, and each of those is a reason to look
 * again: without a pause of its own, installing what cannot be installed would go on without end.
 */
export function noteFailure({ memory, settings, clock }: Run, wanted: string): void {
  const before = memory.failure?.wanted === wanted ? memory.failure.count : 0;
  const { base, max } = settings.retryDelays;
  const wait = Math.min(base * 2 ** Math.min(before, 1_023), max);
  memory.failure = { wanted, count: before + 1, until: clock.steady() + wait };
}

/** Milliseconds until what is wanted may be tried again. What is wanted now, and was not before, may be tried at once. */
export function pauseBefore({ memory, clock }: Run, wanted: string): number {
  if (memory.failure?.wanted !== wanted) return 0;
  return Math.max(0, memory.failure.until - clock.steady());
}
