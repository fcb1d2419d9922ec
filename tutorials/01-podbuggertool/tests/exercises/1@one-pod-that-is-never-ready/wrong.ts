import type { Clock, Pod } from "@operator-path/client";

/** How long to wait for a Pod that is not ready, in milliseconds. */
const atMost = 120_000;

export type Patience = ReturnType<typeof createPatience>;

/** Remembers since when we have waited for each Pod. */
export function createPatience(clock: Clock) {
  const since = new Map<string, number>();
  return {
    left(pod: Pod): number | undefined {
      // The spec may change, and giving up happens once.
      const uid = pod.metadata?.uid ?? "";
      const start = since.get(uid) ?? clock.now();
      since.set(uid, start);
      return Math.max(0, start + atMost - clock.now());
    },
    forget(pod: Pod): void {
      since.delete(pod.metadata?.uid ?? "");
    },
  };
}
