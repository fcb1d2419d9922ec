import type { MemcachedServer } from "./server.ts";

/** The data block that follows a storage command. */
export interface DataBlock {
  length: number;
  /** Takes the data. undefined: the block did not end with CRLF. */
  take(data: Buffer | undefined): string | Buffer;
}

/** `skip`: how many of the following bytes belong to the command and are ignored. */
export type Step = { reply: string | Buffer; close?: boolean; skip?: number } | { data: DataBlock };

const maxKeyBytes = 250;
/** Bytes of the largest item. */
const maxItem = 1024 * 1024;
/** A longer expiration time is a Unix timestamp. */
const monthSeconds = 60 * 60 * 24 * 30;
const notSimulated = /^(gets|gats?|incr|decr|touch|verbosity|append|prepend|cas|m[adegns])$/;
const badFormat = "CLIENT_ERROR bad command line format\r\n";

/** Runs one line of the text protocol (doc/protocol.txt of memcached). */
export function runCommand(server: MemcachedServer, line: string): Step {
  const [command = "", ...args] = line.split(" ").filter(Boolean);
  const quiet = args.at(-1) === "noreply";
  const plain = quiet ? args.slice(0, -1) : args;
  const answer = (reply: string | Buffer): Step => ({ reply: quiet ? "" : reply });
  switch (command) {
    case "get":
      return { reply: get(server, args) };
    case "set":
    case "add":
    case "replace":
      return store(server, command, plain, quiet);
    case "delete":
      return answer(remove(server, plain));
    case "flush_all":
      if (plain.length > 0) return { reply: "SERVER_ERROR flush_all with a delay is not simulated\r\n" };
      server.items.clear();
      return answer("OK\r\n");
    case "stats":
      return { reply: stats(server, plain) };
    case "version":
      return { reply: `VERSION ${server.settings.version}\r\n` };
    case "quit":
      return { reply: "", close: true };
    default:
      if (!notSimulated.test(command)) return { reply: "ERROR\r\n" };
      // The data block of a storage command would be read as commands.
      return {
        reply: `SERVER_ERROR ${command} is not simulated\r\n`,
        close: /^(append|prepend|cas|ms)$/.test(command),
      };
  }
}

function get(server: MemcachedServer, keys: string[]): string | Buffer {
  if (keys.length === 0) return "ERROR\r\n";
  if (keys.some((key) => !isKey(key))) return badFormat;
  const found: (string | Buffer)[] = [];
  for (const key of keys) {
    server.count("cmd_get");
    const item = server.items.get(key);
    server.count(item === undefined ? "get_misses" : "get_hits");
    if (item !== undefined)
      found.push(`VALUE ${key} ${item.flags} ${item.data.length}\r\n`, item.data, "\r\n");
  }
  return Buffer.concat([...found, "END\r\n"].map((part) => Buffer.from(part)));
}

function store(server: MemcachedServer, command: string, args: string[], quiet: boolean): Step {
  if (args.length !== 4) return { reply: "ERROR\r\n" };
  const [key = "", flagText = "", seconds = "", lengthText = ""] = args;
  const flags = /^\d{1,10}$/.test(flagText) ? Number(flagText) : Number.NaN;
  const length = /^-?\d+$/.test(lengthText) ? Number(lengthText) : Number.NaN;
  const expires = expiry(server, seconds);
  if (!isKey(key) || !(flags < 2 ** 32) || expires === "bad" || !(length >= 0)) return { reply: badFormat };
  if (key.length + length + 48 > maxItem) {
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
        const isWanted = command === "set" || (command === "add") === (server.items.get(key) === undefined);
        if (isWanted) server.items.set(key, { flags, data, expires });
        return quiet ? "" : isWanted ? "STORED\r\n" : "NOT_STORED\r\n";
      },
    },
  };
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

function stats(server: MemcachedServer, [what]: string[]): string {
  if (what !== undefined) return `SERVER_ERROR stats ${what} is not simulated\r\n`;
  return `${server
    .stats()
    .map(([name, value]) => `STAT ${name} ${value}\r\n`)
    .join("")}END\r\n`;
}

function isKey(key: string): boolean {
  return Buffer.byteLength(key, "latin1") <= maxKeyBytes;
}

/** Returns ms since epoch, or undefined for an item that never expires. */
function expiry({ clock }: MemcachedServer, text: string): number | undefined | "bad" {
  if (!/^-?\d{1,10}$/.test(text)) return "bad";
  const seconds = Number(text);
  if (seconds === 0) return undefined;
  if (seconds < 0) return clock.now();
  return seconds > monthSeconds ? seconds * 1000 : clock.now() + seconds * 1000;
}
