import type { Clock, Pod } from "@operator-path/client";

/** Milliseconds between two looks at a Pod that is not ready. */
export const every = 3_000;
/** Milliseconds until a Pod that is not ready is given up. */
export const atMost = 120_000;

export type Patience = ReturnType<typeof createPatience>;

/** Remembers how long each Pod has kept us waiting: a reconcile that returns forgets everything else. */
export function createPatience(clock: Clock) {
  const waits = new Map<string, { since: number; gaveUpAt?: string }>();
  return {
    with(pod: Pod): "wait" | "give up" | "has given up" {
      const { uid = "", resourceVersion } = pod.metadata ?? {};
      const wait = waits.get(uid);
      if (!wait || (wait.gaveUpAt && wait.gaveUpAt !== resourceVersion)) {
        waits.set(uid, { since: clock.now() });
        return "wait";
      }
      if (wait.gaveUpAt) return "has given up";
      if (clock.now() - wait.since < atMost) return "wait";
      wait.gaveUpAt = resourceVersion;
      return "give up";
    },
    forget(pod: Pod): void {
      waits.delete(pod.metadata?.uid ?? "");
    },
  };
}
