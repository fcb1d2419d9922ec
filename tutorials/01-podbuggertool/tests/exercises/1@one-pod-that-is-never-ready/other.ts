import type { Clock, Pod } from "@operator-path/client";

/** How long to wait for a Pod that is not ready, in milliseconds. */
const atMost = 120_000;

export type Patience = ReturnType<typeof createPatience>;

/** Remembers since when we have waited for each Pod. */
export function createPatience(clock: Clock) {
  const deadlines = new Map<string, { generation: number | undefined; at: number }>();
  return {
    /** Returns the milliseconds left: 0 once, when time has run out, then undefined until the spec changes. */
    left(pod: Pod): number | undefined {
      const { uid = "", generation } = pod.metadata ?? {};
      const known = deadlines.get(uid);
      if (known === undefined || known.generation !== generation) {
        deadlines.set(uid, { generation, at: clock.now() + atMost });
        return atMost;
      }
      if (known.at === Number.NEGATIVE_INFINITY) return undefined;
      if (known.at > clock.now()) return known.at - clock.now();
      known.at = Number.NEGATIVE_INFINITY;
      return 0;
    },
    forget({ metadata }: Pod): void {
      deadlines.delete(metadata?.uid ?? "");
    },
  };
}
