import type { Clock, Event } from "@operator-path/client";

/** This many Events that differ only in their message are combined into one. */
const similarLimit = 10;
const similarWithin = 10 * 60_000;
/** client-go: defaultSpamBurst, defaultSpamQPS. */
const burst = 25;
const refill = 5 * 60_000;
/** Maximum number of objects, groups and Events to remember (client-go: maxLruCacheEntries). */
const limit = 4096;

/**
 * Returns a correlator that limits the number of Events (client-go: EventCorrelator):
 * - The tenth Event within ten minutes that differs only in its message, and all later ones, are combined
 *   into one.
 * - A repeated Event raises the count of the first.
 * - A source may write 25 Events of one type about one object, then one every five minutes.
 *
 * Dropped Events are counted too, so the next one that is written has the correct count.
 */
export function createEventCorrelator(clock: Clock) {
  const groups = createRecent<Set<string>>(clock, { limit, within: similarWithin });
  const seen = createRecent<Event>(clock, { limit, within: Number.POSITIVE_INFINITY });
  const allowances = createRecent<{ tokens: number; at: number }>(clock, { limit, within: burst * refill });

  function aggregate(event: Event, about: string): { event: Event; key: string } {
    const { reason, message = "" } = event;
    const similar = [about, reason].join("\n");
    const messages = groups.get(similar) ?? new Set<string>();
    messages.add(message);
    groups.set(similar, messages);
    if (messages.size < similarLimit) {
      return { event, key: [similar, event.involvedObject.fieldPath, message].join("\n") };
    }
    messages.delete(message);
    return { event: { ...event, message: `(combined from similar events): ${message}` }, key: similar };
  }

  function count(event: Event, key: string): Event {
    const earlier = seen.get(key);
    const { firstTimestamp, metadata } = earlier ?? event;
    const counted = { ...event, metadata, firstTimestamp, count: (earlier?.count ?? 0) + 1 };
    seen.set(key, counted);
    return counted;
  }

  function isSpam(about: string): boolean {
    const now = clock.steady();
    const { tokens, at } = allowances.get(about) ?? { tokens: burst, at: now };
    const left = Math.min(burst, tokens + (now - at) / refill);
    allowances.set(about, { tokens: left >= 1 ? left - 1 : left, at: now });
    return left < 1;
  }

  return {
    /**
     * Returns the Event to write, or undefined if there are too many. A count above 1 means: update the
     * existing Event of that name. If the Event stands for several, its message says so.
     */
    correlate(event: Event): Event | undefined {
      const { apiVersion, kind, namespace, name, uid } = event.involvedObject;
      const about = [event.type, apiVersion, kind, namespace, name, uid].join("\n");
      const aggregated = aggregate(event, about);
      const counted = count(aggregated.event, aggregated.key);
      return isSpam(about) ? undefined : counted;
    },
  };
}

/** Remembers at most `limit` keys, each for `within` milliseconds after it was last set. */
interface Recent<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

function createRecent<V>(clock: Clock, { limit, within }: { limit: number; within: number }): Recent<V> {
  /** In the order of the last `set`: the first entry is the oldest. */
  const entries = new Map<string, { value: V; at: number }>();
  const isOld = (at: number) => clock.steady() - at > within;
  return {
    get(key) {
      const entry = entries.get(key);
      return entry && !isOld(entry.at) ? entry.value : undefined;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, at: clock.steady() });
      for (const [oldest, { at }] of entries) {
        if (entries.size <= limit && !isOld(at)) return;
        entries.delete(oldest);
      }
    },
  };
}
