import type { Clock, Pod } from "@operator-path/client";

export const every = 3_000;
export const atMost = 120_000;

/** Remembers how long each Pod has kept us waiting: 120 s, then it must change before we wait again. */
export function createPatience(clock: Clock) {
  const waits = new Map<string, { since: number; gaveUpAt?: string }>();
  return {
    look(pod: Pod): "wait" | "give up" | "gave up" {
      const { uid = "", resourceVersion } = pod.metadata ?? {};
      const wait = waits.get(uid);
      if (!wait || (wait.gaveUpAt && wait.gaveUpAt !== resourceVersion)) {
        waits.set(uid, { since: clock.now() });
        return "wait";
      }
      if (wait.gaveUpAt) return "gave up";
      if (clock.now() - wait.since < atMost) return "wait";
      wait.gaveUpAt = resourceVersion;
      return "give up";
    },
    forget(pod: Pod): void {
      waits.delete(pod.metadata?.uid ?? "");
    },
  };
}
