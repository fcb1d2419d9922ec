import type { Clock } from "@operator-path/client";

export interface Item {
  /** Stored and returned for the client. memcached does not interpret them. */
  flags: number;
  data: Buffer;
  /** ms since epoch. undefined: the item never expires. */
  expires: number | undefined;
}

/** Items by key, up to a limit in bytes. The least recently used item is evicted first. */
export interface ItemStore {
  /** Returns an item that has not expired, and marks it as used. */
  get(key: string): Item | undefined;
  set(key: string, item: Item): void;
  delete(key: string): boolean;
  clear(): void;
  readonly bytes: number;
  readonly size: number;
  readonly evictions: number;
  readonly stored: number;
}

/** What an item takes besides its key and data, in bytes. */
const overhead = 48;

export function createItemStore(clock: Clock, limitBytes: number): ItemStore {
  // A Map keeps the order of insertion, so a used item is inserted again.
  const items = new Map<string, Item>();
  let bytes = 0;
  let evictions = 0;
  let stored = 0;
  const sizeOf = (key: string, item: Item) => Buffer.byteLength(key) + item.data.length + overhead;

  function remove(key: string): boolean {
    const item = items.get(key);
    if (item === undefined) return false;
    bytes -= sizeOf(key, item);
    return items.delete(key);
  }

  function alive(key: string): Item | undefined {
    const item = items.get(key);
    if (item === undefined) return undefined;
    if (item.expires === undefined || item.expires > clock.now()) return item;
    remove(key);
    return undefined;
  }

  return {
    get(key) {
      const item = alive(key);
      if (item === undefined) return undefined;
      items.delete(key);
      items.set(key, item);
      return item;
    },
    set(key, item) {
      remove(key);
      items.set(key, item);
      bytes += sizeOf(key, item);
      stored++;
      for (const oldest of items.keys()) {
        if (bytes <= limitBytes || oldest === key) break;
        remove(oldest);
        evictions++;
      }
    },
    delete: (key) => alive(key) !== undefined && remove(key),
    clear() {
      items.clear();
      bytes = 0;
    },
    get bytes() {
      return bytes;
    },
    get size() {
      return items.size;
    },
    get evictions() {
      return evictions;
    },
    get stored() {
      return stored;
    },
  };
}
