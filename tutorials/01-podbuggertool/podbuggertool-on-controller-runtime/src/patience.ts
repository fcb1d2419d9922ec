import type { Clock, Pod } from "@operator-path/client";

/** Milliseconds until a Pod that is not ready is given up. */
const atMost = 120_000;

export type Patience = ReturnType<typeof createPatience>;

/** Remembers since when each Pod has kept us waiting: everything else, a reconcile that returns may forget. */
export function createPatience(clock: Clock) {
  const waits = new Map<string, { since: number; generation?: number; over: boolean }>();
  return {
    /** Milliseconds left. 0 only once, when time has just run out; then undefined, until the Pod's spec changes. */
    left(pod: Pod): number | undefined {
      const { uid = "", generation } = pod.metadata ?? {};
      let wait = waits.get(uid);
      if (wait?.generation !== generation || !wait) {
        wait = { since: clock.now(), generation, over: false };
        waits.set(uid, wait);
      }
      if (wait.over) return undefined;
      const left = Math.max(0, wait.since + atMost - clock.now());
      wait.over = left === 0;
      return left;
    },
    forget(pod: Pod): void {
      waits.delete(pod.metadata?.uid ?? "");
    },
  };
}
