import type { Clock } from "@operator-path/client";
import { createCondition } from "./byte-pipe.ts";

/** The options of `kubectl logs`. */
export interface LogOptions {
  follow?: boolean;
  /** Returns the last lines only; 0 for none. */
  tailLines?: number;
  /** Returns lines of the last seconds only. */
  sinceSeconds?: number;
  /** Returns lines since this time only, in RFC 3339. */
  sinceTime?: string;
  /** Puts its time before each line. */
  timestamps?: boolean;
  /** Ends the log after this many bytes. */
  limitBytes?: number;
  signal?: AbortSignal;
}

/** The log of one run of a container: stdout and stderr together, as `kubectl logs` shows them. */
export interface ContainerLog {
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void;
  /** Marks the log as complete: followers end. */
  end(): void;
  read(options: LogOptions): AsyncIterable<Uint8Array>;
}

interface Entry {
  time: number;
  /** One line with its newline, or the beginning of an unfinished line (a prompt, a progress bar). */
  bytes: Uint8Array;
  /** Whether this is the first piece of a line. */
  startsLine: boolean;
}

const NEWLINE = 10;

/**
 * The approximate memory of an entry besides its bytes. Without it, many short lines would count as almost
 * nothing.
 */
const entryBytes = 100;

/**
 * @param maxBytes drops the oldest lines when the log is larger. Default 10 MiB, the kubelet's
 *   `containerLogMaxSize`
 */
export function createContainerLog(clock: Clock, maxBytes = 10 * 1024 * 1024): ContainerLog {
  let entries: Entry[] = [];
  // The index of the oldest entry that is kept. Dropped entries are removed in batches, because removing each
  // from the front would move the whole list.
  let head = 0;
  // The number of entries dropped so far. Readers use it to keep their position.
  let dropped = 0;
  let size = 0;
  let ended = false;
  let atLineStart = true;
  const changed = createCondition();

  function firstWanted(options: LogOptions): number {
    let first = head;
    const since = options.sinceTime
      ? Date.parse(options.sinceTime)
      : options.sinceSeconds !== undefined
        ? clock.now() - options.sinceSeconds * 1000
        : undefined;
    if (since !== undefined) {
      while (first < entries.length && (entries[first] as Entry).time < since) first++;
    }
    if (options.tailLines !== undefined) {
      let lines = 0;
      let from = entries.length;
      while (from > first && lines < options.tailLines) {
        from--;
        if (entries[from]?.startsLine) lines++;
      }
      first = Math.max(first, from);
    }
    return first - head + dropped;
  }

  return {
    write(_stream, chunk) {
      let from = 0;
      while (from < chunk.length) {
        const newline = chunk.indexOf(NEWLINE, from);
        const to = newline < 0 ? chunk.length : newline + 1;
        entries.push({ time: clock.now(), bytes: chunk.slice(from, to), startsLine: atLineStart });
        size += to - from + entryBytes;
        atLineStart = newline >= 0;
        from = to;
      }
      while (size > maxBytes && entries.length - head > 1) {
        size -= (entries[head] as Entry).bytes.length + entryBytes;
        head++;
        dropped++;
      }
      if (head > 1000 && head > entries.length / 2) {
        entries = entries.slice(head);
        head = 0;
      }
      changed.notifyAll();
    },
    end() {
      ended = true;
      changed.notifyAll();
    },
    async *read(options) {
      let position = firstWanted(options);
      let remainingBytes = options.limitBytes ?? Number.POSITIVE_INFINITY;
      while (true) {
        position = Math.max(position, dropped);
        // A copy: a program that writes faster than its reader must not drop lines that the reader has yet to
        // get.
        const batch = entries.slice(position - dropped + head);
        position += batch.length;
        for (const chunk of joinEntries(batch, options.timestamps ?? false)) {
          if (remainingBytes === 0 || options.signal?.aborted) return;
          const part = chunk.length > remainingBytes ? chunk.subarray(0, remainingBytes) : chunk;
          remainingBytes -= part.length;
          yield part;
        }
        if (!options.follow || options.signal?.aborted) return;
        if (position < dropped + entries.length - head) continue;
        if (ended) return;
        await changed.wait(options.signal);
      }
    },
  };
}

/**
 * Joins entries into chunks of about 64 KiB: one chunk per line would cost the server more than the line
 * itself.
 */
function* joinEntries(entries: readonly Entry[], timestamps: boolean): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for (const { time, bytes, startsLine } of entries) {
    if (timestamps && startsLine) parts.push(Buffer.from(`${timestamp(time)} `));
    parts.push(bytes);
    size += bytes.length;
    if (size < 64 * 1024) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/** Returns RFC 3339 with nanoseconds, as container runtimes write it. The clock has milliseconds. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000000Z");
}
