import type { Clock, Event } from "@operator-path/client";

/** Events that differ in their message only, this many of them, become one from then on. */
const similarLimit = 10;
const similarWithin = 10 * 60_000;
const burst = 25;
const refill = 5 * 60_000;
const sweepEvery = 60_000;

export interface Correlated {
  /** To be written; with another message than the one given if it stands for several. */
  event: Event;
  /** Events of one key are one Event, counted. */
  key: string;
}

/**
 * Keeps Events few (client-go: EventCorrelator): ten within ten minutes that differ in their message only are continued
 * as one; a source may write 25 about one object, and then one every five minutes.
 */
export function createEventCorrelator(clock: Clock) {
  const groups = new Map<string, { messages: Set<string>; at: number }>();
  const allowances = new Map<string, { tokens: number; at: number }>();
  let swept = clock.now();

  /** Both maps hold what is recent, and nothing else. */
  function sweep(now: number): void {
    if (now - swept < sweepEvery) return;
    swept = now;
    for (const [key, { at }] of groups) if (now - at > similarWithin) groups.delete(key);
    for (const [key, { at }] of allowances) if (now - at > burst * refill) allowances.delete(key);
  }

  function isSpam(about: string, now: number): boolean {
    const { tokens, at } = allowances.get(about) ?? { tokens: burst, at: now };
    const left = Math.min(burst, tokens + (now - at) / refill);
    allowances.set(about, { tokens: left >= 1 ? left - 1 : left, at: now });
    return left < 1;
  }

  return {
    /** Undefined for an Event that is one too many. */
    correlate(event: Event): Correlated | undefined {
      const now = clock.now();
      sweep(now);
      const { kind, namespace, name, uid, fieldPath } = event.involvedObject;
      const about = [kind, namespace, name, uid].join("\n");
      if (isSpam(about, now)) return undefined;

      const { type, reason, message = "" } = event;
      const similar = [about, type, reason].join("\n");
      const known = groups.get(similar);
      const messages = known && now - known.at <= similarWithin ? known.messages : new Set<string>();
      messages.add(message);
      groups.set(similar, { messages, at: now });
      if (messages.size < similarLimit) return { event, key: [similar, fieldPath, message].join("\n") };
      messages.delete(message);
      return { event: { ...event, message: `(combined from similar events): ${message}` }, key: similar };
    },
  };
}
