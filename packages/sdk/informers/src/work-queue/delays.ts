import type { Clock, TimerHandle } from "@operator-path/client";
import { createHeap, type HeapNode } from "./heap.ts";

/** A key to add later. */
export interface Delay<K> extends HeapNode {
  readonly key: K;
  at: number;
  priority: number;
  order: number;
}

export interface Delays<K> {
  /**
   * Schedules a key. `at` is a time of the steady clock; Infinity means never. If the key is already
   * scheduled, the earliest time and the highest priority count.
   */
  add(key: K, at: number, priority: number, order: number): void;
  /** Removes and returns a key before its time. */
  take(key: K): Delay<K> | undefined;
  clear(): void;
}

/**
 * Returns scheduled keys that share one timer, set for the earliest (client-go: delayingType's waitingLoop).
 * Keys that become due together are ordered by time, then priority, then order.
 */
export function createDelays<K>(clock: Clock, onDue: (key: K, priority: number) => void): Delays<K> {
  const byKey = new Map<K, Delay<K>>();
  const heap = createHeap<Delay<K>>(isBefore);
  let timer: { at: number; handle: TimerHandle } | undefined;

  function setTimer(): void {
    const at = heap.first()?.at ?? Number.POSITIVE_INFINITY;
    if (timer?.at === at) return;
    if (timer) clock.clearTimeout(timer.handle);
    timer = undefined;
    if (at === Number.POSITIVE_INFINITY) return;
    timer = { at, handle: clock.setTimeout(onTimer, Math.max(0, at - clock.steady())) };
  }

  function onTimer(): void {
    timer = undefined;
    const now = clock.steady();
    try {
      for (let first = heap.first(); first && first.at <= now; first = heap.first()) {
        heap.pop();
        byKey.delete(first.key);
        onDue(first.key, first.priority);
      }
    } finally {
      setTimer();
    }
  }

  return {
    add(key, at, priority, order) {
      const known = byKey.get(key);
      if (known) {
        if (at < known.at) known.at = at;
        if (priority > known.priority) {
          known.priority = priority;
          known.order = order;
        }
        heap.moved(known);
      } else {
        const delay = { key, at, priority, order, place: -1 };
        byKey.set(key, delay);
        heap.push(delay);
      }
      setTimer();
    },
    take(key) {
      const delay = byKey.get(key);
      if (!delay) return undefined;
      byKey.delete(key);
      heap.remove(delay);
      setTimer();
      return delay;
    },
    clear() {
      byKey.clear();
      heap.clear();
      setTimer();
    },
  };
}

function isBefore<K>(a: Delay<K>, b: Delay<K>): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}
