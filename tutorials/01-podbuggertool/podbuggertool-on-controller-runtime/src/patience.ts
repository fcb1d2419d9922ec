import type { Clock, Pod } from "@operator-path/client";

/** How long to wait for a Pod that is not ready, in milliseconds. */
const atMost = 120_000;

export type Patience = ReturnType<typeof createPatience>;

/** Remembers since when we have waited for each Pod. */
export function createPatience(clock: Clock) {
  const waits = new Map<string, { since: number; generation?: number; over: boolean }>();
  return {
    /** Returns the milliseconds left: 0 once, when time has run out, then undefined until the spec changes. */
    left(pod: Pod): number | undefined {
      const { uid = "", generation } = pod.metadata ?? {};
      let wait = waits.get(uid);
      if (wait?.generation !== generation || !wait) {
        wait = { since: clock.steady(), generation, over: false };
        waits.set(uid, wait);
      }
      if (wait.over) return undefined;
      const left = Math.max(0, wait.since + atMost - clock.steady());
      wait.over = left === 0;
      return left;
    },
    forget(pod: Pod): void {
      waits.delete(pod.metadata?.uid ?? "");
    },
  };
}
