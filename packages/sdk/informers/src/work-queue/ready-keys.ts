import { createHeap, type HeapNode } from "./heap.ts";

/** A queued key. */
export interface ReadyKey extends HeapNode {
  /** Higher values come first. Must not change while the key is queued. */
  priority: number;
  /** Among equal priorities, the lower value comes first. Values are unique. */
  order: number;
  /** The level whose list contains the key; undefined if none does. */
  level: Level | undefined;
  previous: ReadyKey | undefined;
  next: ReadyKey | undefined;
}

/** The keys of one priority, as a linked list in their order. */
interface Level extends HeapNode {
  readonly priority: number;
  head: ReadyKey | undefined;
  tail: ReadyKey | undefined;
}

export interface ReadyKeys<R extends ReadyKey> {
  readonly size: number;
  push(key: R): void;
  pop(): R | undefined;
  remove(key: R): void;
}

/**
 * Returns the keys that are ready, highest priority first and oldest first within a priority.
 *
 * Appending a key to a list and removing any key take O(1). Adding or removing a priority takes O(log p) for
 * p priorities. A key that keeps an older position is rare; it goes into a separate heap.
 */
export function createReadyKeys<R extends ReadyKey>(): ReadyKeys<R> {
  const byPriority = new Map<number, Level>();
  const levels = createHeap<Level>((a, b) => a.priority > b.priority);
  const older = createHeap<R>(isBefore);
  let size = 0;

  function levelOf(priority: number): Level {
    let level = byPriority.get(priority);
    if (!level) {
      level = { priority, place: -1, head: undefined, tail: undefined };
      byPriority.set(priority, level);
      levels.push(level);
    }
    return level;
  }

  function unlink(key: R, level: Level): void {
    const { previous, next } = key;
    if (previous) previous.next = next;
    else level.head = next;
    if (next) next.previous = previous;
    else level.tail = previous;
    key.level = key.previous = key.next = undefined;
    if (level.head) return;
    byPriority.delete(level.priority);
    levels.remove(level);
  }

  function remove(key: R): void {
    size--;
    if (key.level) unlink(key, key.level);
    else older.remove(key);
  }

  return {
    get size() {
      return size;
    },
    push(key) {
      size++;
      const level = levelOf(key.priority);
      const { tail } = level;
      if (tail && tail.order > key.order) {
        older.push(key);
        return;
      }
      key.level = level;
      key.previous = tail;
      if (tail) tail.next = key;
      else level.head = key;
      level.tail = key;
    },
    pop() {
      const inLine = levels.first()?.head as R | undefined;
      const beside = older.first();
      const first = !beside || (inLine && isBefore(inLine, beside)) ? inLine : beside;
      if (first) remove(first);
      return first;
    },
    remove,
  };
}

function isBefore(a: ReadyKey, b: ReadyKey): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}
