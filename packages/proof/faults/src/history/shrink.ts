import { runHistory } from "./run-history.ts";
import type { History } from "./steps.ts";

/**
 * Leaves out steps as long as the history still fails: halves first, single ones in the end. Which problem it fails with
 * may change on the way. Returns the numbers of the steps that are left, for `--keep`.
 */
export async function shrink(history: History, onProgress: (left: number) => void): Promise<number[]> {
  let kept = history.steps.map((_, index) => index);
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = kept.toSpliced(at, size);
      const { problems } = await runHistory(keep(history, fewer));
      if (problems.length === 0) at += size;
      else {
        kept = fewer;
        onProgress(kept.length);
      }
    }
  }
  return kept;
}

/** The same history with these steps alone. */
export function keep(history: History, numbers: readonly number[]): History {
  const wanted = new Set(numbers);
  return { ...history, steps: history.steps.filter((_, index) => wanted.has(index)) };
}
