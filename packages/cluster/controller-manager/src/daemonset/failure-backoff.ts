/** How long a failed Pod is left where it is: 1 s at first, twice as long each time, 15 minutes at most. */
export function createFailureBackoff(now: () => number) {
  const known = new Map<string, { uid: string; until: number; next: number }>();
  const isOver = ({ until }: { until: number }) => now() - until >= 2 * 15 * 60_000;
  return {
    /** Places that are remembered. */
    get size() {
      return known.size;
    },
    /** @returns milliseconds; 0 when it may be replaced */
    waitFor(place: string, uid: string): number {
      const entry = known.get(place);
      if (entry?.uid === uid) return Math.max(0, entry.until - now());
      const wait = entry !== undefined && !isOver(entry) ? entry.next : 0;
      // Nodes and DaemonSets come and go.
      for (const [other, old] of known) if (isOver(old)) known.delete(other);
      known.set(place, { uid, until: now() + wait, next: Math.min(Math.max(1000, wait * 2), 15 * 60_000) });
      return wait;
    },
  };
}
