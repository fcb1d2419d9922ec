import type { MemcachedServer } from "./server.ts";
import type { Item } from "./store.ts";

/** The data block that follows a storage command. */
export interface DataBlock {
  length: number;
  /** Takes the data. undefined: the block did not end with CRLF. */
  take(data: Buffer | undefined): string | Buffer;
}

/** `skip`: how many of the following bytes belong to the command and are ignored. */
export type Step = { reply: string | Buffer; close?: boolean; skip?: number } | { data: DataBlock };

const maxKeyBytes = 250;
/** A longer expiration time is a Unix timestamp. */
const monthSeconds = 60 * 60 * 24 * 30;
const badFormat = "CLIENT_ERROR bad command line format\r\n";

/** Runs one line of the text protocol (doc/protocol.txt of memcached). */
export function runCommand(server: MemcachedServer, line: string): Step {
  const [command = "", ...args] = line.split(" ").filter(Boolean);
  const quiet = args.at(-1) === "noreply";
  const plain = quiet ? args.slice(0, -1) : args;
  const answer = (reply: string | Buffer): Step => ({ reply: quiet ? "" : reply });
  switch (command) {
    case "get":
    case "gets":
      return { reply: get(server, args, command === "gets") };
    case "gat":
    case "gats":
      return { reply: getAndTouch(server, args, command === "gats") };
    case "set":
    case "add":
    case "replace":
    case "append":
    case "prepend":
    case "cas":
      return store(server, command, plain, quiet);
    case "incr":
    case "decr":
      return answer(count(server, command, plain));
    case "delete":
      return answer(remove(server, plain));
    case "touch":
      return answer(touch(server, plain));
    case "flush_all":
      return answer(flush(server, plain));
    case "stats":
      return { reply: stats(server, plain) };
    case "version":
      return { reply: `VERSION ${server.settings.version}\r\n` };
    case "verbosity":
      return answer(plain.length === 0 ? "ERROR\r\n" : "OK\r\n");
    case "mn":
      return { reply: "MN\r\n" };
    case "quit":
      return { reply: "", close: true };
    case "shutdown":
      return { reply: "ERROR: shutdown not enabled\r\n" };
    default:
      return { reply: "ERROR\r\n" };
  }
}

function get(server: MemcachedServer, keys: string[], withCas: boolean): string | Buffer {
  if (keys.length === 0) return "ERROR\r\n";
  if (keys.some((key) => !isKey(key))) return badFormat;
  const found: (string | Buffer)[] = [];
  for (const key of keys) {
    server.count("cmd_get");
    const item = server.items.get(key);
    server.count(item === undefined ? "get_misses" : "get_hits");
    if (item !== undefined) found.push(...shown(key, item, withCas));
  }
  return Buffer.concat([...found, "END\r\n"].map((part) => Buffer.from(part)));
}

function getAndTouch(
  server: MemcachedServer,
  [seconds = "", ...keys]: string[],
  withCas: boolean,
): string | Buffer {
  if (keys.length === 0) return "ERROR\r\n";
  const expires = expiry(server, seconds);
  if (expires === "bad") return "CLIENT_ERROR invalid exptime argument\r\n";
  for (const key of keys) {
    server.count("cmd_touch");
    const item = server.items.get(key);
    server.count(item === undefined ? "touch_misses" : "touch_hits");
    if (item !== undefined) item.expires = expires;
  }
  return get(server, keys, withCas);
}

function shown(key: string, item: Item, withCas: boolean): (string | Buffer)[] {
  const cas = withCas ? ` ${item.cas}` : "";
  return [`VALUE ${key} ${item.flags} ${item.data.length}${cas}\r\n`, item.data, "\r\n"];
}

function store(server: MemcachedServer, command: string, args: string[], quiet: boolean): Step {
  const wanted = command === "cas" ? 5 : 4;
  if (args.length !== wanted) return { reply: "ERROR\r\n" };
  const [key = "", flagText = "", seconds = "", lengthText = "", casText = ""] = args;
  const flags = unsigned(flagText, 0xffff_ffffn);
  const length = /^-?\d+$/.test(lengthText) ? Number(lengthText) : Number.NaN;
  const expires = expiry(server, seconds);
  const cas = command === "cas" ? unsigned(casText, 0xffff_ffff_ffff_ffffn) : 0n;
  if (!isKey(key) || flags === undefined || expires === "bad" || !(length >= 0) || cas === undefined)
    return { reply: badFormat };
  if (key.length + length + 48 > server.settings.maxItem) {
    // The stored item is stale now, and clients would take it for the new value.
    server.items.delete(key);
    return { reply: "SERVER_ERROR object too large for cache\r\n", skip: length + 2 };
  }
  return {
    data: {
      length,
      take(data) {
        if (data === undefined) return "CLIENT_ERROR bad data chunk\r\n";
        server.count("cmd_set");
        const reply = storeItem(server, command, key, { flags: Number(flags), data, expires }, cas);
        return quiet ? "" : reply;
      },
    },
  };
}

function storeItem(
  server: MemcachedServer,
  command: string,
  key: string,
  item: Pick<Item, "flags" | "data" | "expires">,
  cas: bigint,
): string {
  const { items } = server;
  const before = items.get(key);
  switch (command) {
    case "add":
      if (before !== undefined) return "NOT_STORED\r\n";
      break;
    case "replace":
      if (before === undefined) return "NOT_STORED\r\n";
      break;
    case "append":
    case "prepend": {
      if (before === undefined) return "NOT_STORED\r\n";
      const parts = command === "append" ? [before.data, item.data] : [item.data, before.data];
      // The item keeps its flags and expiration.
      items.set(key, { flags: before.flags, data: Buffer.concat(parts), expires: before.expires });
      return "STORED\r\n";
    }
    case "cas":
      if (before === undefined) {
        server.count("cas_misses");
        return "NOT_FOUND\r\n";
      }
      server.count(before.cas === cas ? "cas_hits" : "cas_badval");
      if (before.cas !== cas) return "EXISTS\r\n";
      break;
  }
  items.set(key, item);
  return "STORED\r\n";
}

function count(server: MemcachedServer, command: "incr" | "decr", args: string[]): string {
  const [key = "", deltaText = "", ...rest] = args;
  if (args.length < 2 || rest.length > 0) return "ERROR\r\n";
  if (!isKey(key)) return badFormat;
  const limit = 0xffff_ffff_ffff_ffffn;
  const delta = unsigned(deltaText, limit);
  if (delta === undefined) return "CLIENT_ERROR invalid numeric delta argument\r\n";
  const item = server.items.get(key);
  server.count(`${command}_${item === undefined ? "misses" : "hits"}`);
  if (item === undefined) return "NOT_FOUND\r\n";
  const value = unsigned(item.data.toString().trimEnd(), limit);
  if (value === undefined) return "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
  // incr wraps at 64 bits, decr stops at zero.
  const next = command === "incr" ? (value + delta) & limit : value > delta ? value - delta : 0n;
  // memcached pads a shorter number with spaces to its old length.
  const text = String(next).padEnd(command === "decr" ? item.data.length : 0);
  server.items.set(key, { flags: item.flags, data: Buffer.from(text), expires: item.expires });
  return `${next}\r\n`;
}

function remove(server: MemcachedServer, args: string[]): string {
  const [key = "", zero] = args;
  if (args.length === 0) return "ERROR\r\n";
  if (args.length > 2 || (zero !== undefined && zero !== "0"))
    return "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n";
  if (!isKey(key)) return badFormat;
  const deleted = server.items.delete(key);
  server.count(deleted ? "delete_hits" : "delete_misses");
  return deleted ? "DELETED\r\n" : "NOT_FOUND\r\n";
}

function touch(server: MemcachedServer, args: string[]): string {
  const [key = "", seconds = ""] = args;
  if (args.length !== 2) return "ERROR\r\n";
  if (!isKey(key)) return badFormat;
  const expires = expiry(server, seconds);
  if (expires === "bad") return "CLIENT_ERROR invalid exptime argument\r\n";
  server.count("cmd_touch");
  const item = server.items.get(key);
  server.count(item === undefined ? "touch_misses" : "touch_hits");
  if (item === undefined) return "NOT_FOUND\r\n";
  item.expires = expires;
  return "TOUCHED\r\n";
}

function flush(server: MemcachedServer, [delay]: string[]): string {
  server.count("cmd_flush");
  if (delay !== undefined && !/^-?\d+$/.test(delay)) return badFormat;
  server.items.flush(server.clock.now() + Math.max(0, Number(delay ?? 0)) * 1000);
  return "OK\r\n";
}

function stats(server: MemcachedServer, [what]: string[]): string {
  const lines = (entries: [string, string | number][]) =>
    `${entries.map(([name, value]) => `STAT ${name} ${value}\r\n`).join("")}END\r\n`;
  switch (what) {
    case undefined:
      return lines(server.stats());
    case "reset":
      for (const name of server.counters.keys())
        if (name !== "curr_connections") server.counters.set(name, 0);
      return "RESET\r\n";
    case "settings":
      return lines([
        ["maxbytes", server.settings.memory],
        ["maxconns", server.settings.maxConnections],
        ["tcpport", server.settings.port],
        ["num_threads", server.settings.threads],
        ["item_size_max", server.settings.maxItem],
      ]);
    case "items":
    case "slabs":
    case "sizes":
    case "conns":
      return "END\r\n";
    default:
      return "ERROR\r\n";
  }
}

function isKey(key: string): boolean {
  return Buffer.byteLength(key, "latin1") <= maxKeyBytes;
}

function unsigned(text: string, limit: bigint): bigint | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > limit ? undefined : value;
}

/** Returns ms since epoch, or undefined for an item that never expires. */
function expiry({ clock }: MemcachedServer, text: string): number | undefined | "bad" {
  if (!/^-?\d{1,10}$/.test(text)) return "bad";
  const seconds = Number(text);
  if (seconds === 0) return undefined;
  if (seconds < 0) return clock.now();
  return seconds > monthSeconds ? seconds * 1000 : clock.now() + seconds * 1000;
}
