import type { Clock } from "@operator-path/client";
import { createItemStore, type ItemStore } from "./store.ts";

export interface MemcachedSettings {
  port: number;
  /** Bytes for all items (`-m`, in MiB). */
  memory: number;
  version: string;
}

/** The state that all connections of a server share. */
export interface MemcachedServer {
  readonly settings: MemcachedSettings;
  readonly items: ItemStore;
  readonly clock: Clock;
  /** Counters by their name in `stats`. */
  readonly counters: Map<string, number>;
  count(name: string, by?: number): void;
  /** Returns name and value of each line of `stats`. */
  stats(): [string, string | number][];
}

const counterNames = [
  "cmd_get",
  "cmd_set",
  "get_hits",
  "get_misses",
  "delete_misses",
  "delete_hits",
  "bytes_read",
  "bytes_written",
];

export function createMemcachedServer(settings: MemcachedSettings, clock: Clock): MemcachedServer {
  const items = createItemStore(clock, settings.memory);
  const counters = new Map<string, number>();
  const startedAt = clock.now();
  const of = (name: string) => counters.get(name) ?? 0;
  return {
    settings,
    items,
    clock,
    counters,
    count: (name, by = 1) => void counters.set(name, of(name) + by),
    stats: () => [
      ["pid", 1],
      ["uptime", Math.floor((clock.now() - startedAt) / 1000)],
      ["time", Math.floor(clock.now() / 1000)],
      ["version", settings.version],
      ["curr_connections", of("curr_connections")],
      ["total_connections", of("total_connections")],
      ...counterNames.map((name): [string, number] => [name, of(name)]),
      ["limit_maxbytes", settings.memory],
      ["bytes", items.bytes],
      ["curr_items", items.size],
      ["total_items", items.stored],
      ["evictions", items.evictions],
    ],
  };
}
