import type { Clock, Event } from "@operator-path/client";
import { createRecent } from "./recent.ts";

/** Events that differ in their message only, this many of them, become one from then on. */
const similarLimit = 10;
const similarWithin = 10 * 60_000;
/** client-go: defaultSpamBurst, defaultSpamQPS. */
const burst = 25;
const refill = 5 * 60_000;
/** Objects, groups and Events that are remembered (client-go: maxLruCacheEntries). */
const limit = 4096;

/**
 * Keeps Events few (client-go: EventCorrelator): ten within ten minutes that differ in their message only are continued
 * as one; the same one raises a count; a source may write 25 of a type about one object, and then one every five
 * minutes. Everything is counted, also what is not written: the next one that is has the true count.
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
     * What is to be written: a count above 1 continues the Event of that name, with another message than the one given
     * if it stands for several. Undefined for one too many.
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
