import { type Clock, startTimer } from "../../lib/clock.ts";
import type { Store } from "./store.ts";

/** The default of kube-apiserver's `--event-ttl`. */
const timeToLive = 60 * 60_000;
/** Events of one minute share one timer, as they share one lease in etcd. */
const sweepInterval = 60_000;
/** A large sweep pauses after this many deletions, so that the server answers requests in between. */
const deletionsPerTurn = 500;
const pauseBetweenTurns = 10;

/**
 * Deletes each Event an hour after its last write, with a tolerance of a minute. Watchers receive DELETED.
 * Ages follow the steady clock, so setting the machine's clock expires nothing.
 * @returns a function that stops it
 */
export function expireEvents(store: Store, clock: Clock): () => void {
  // The oldest write comes first, because a Map keeps the order of insertion.
  const written = new Map<string, number>();
  const stopWatch = store.watch("events", store.revision, ({ type, current }) => {
    written.delete(current.key);
    if (type !== "DELETED") written.set(current.key, clock.steady());
  });

  function sweep(): number {
    const due = clock.steady() - timeToLive;
    let deletions = 0;
    for (const [key, at] of written) {
      if (at > due) return sweepInterval;
      if (deletions++ === deletionsPerTurn) return pauseBetweenTurns;
      const stored = store.get("events", key);
      if (stored !== undefined) store.delete("events", stored);
    }
    return sweepInterval;
  }

  let stopTimer: () => void;
  const schedule = (delay: number) => {
    stopTimer = startTimer(clock, delay, () => schedule(sweep()));
  };
  schedule(sweepInterval);
  return () => {
    stopTimer();
    stopWatch();
  };
}
