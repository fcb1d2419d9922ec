/** The longest allowed line, in bytes. An object has at most 3 MiB in a request (etcd: 1.5 MiB). */
export const maxLineBytes = 64 * 1024 * 1024;

const newline = 0x0a;

/** Splits bytes into lines synchronously, for the hot path of a watch. */
export interface LineSplitter {
  /**
   * Takes the next bytes of the stream and calls back for each line that they complete. It copies the bytes
   * of an incomplete line, so the caller may reuse the chunk afterwards.
   *
   * @throws RangeError when a line is longer than the limit. The splitter cannot be used after that
   */
  push(chunk: Uint8Array): void;
  /** The number of bytes of the incomplete line. */
  readonly pending: number;
}

/**
 * Splits a stream of bytes at newlines. It does not decode the bytes, so a character that is cut in two by a
 * chunk boundary is whole again in its line. Empty lines are skipped. A last line without a newline is *not*
 * delivered: when a watch breaks in the middle of an event, that event has not arrived.
 *
 * @param onLine receives a view that is valid only during the call; copy it to keep it. `push` rethrows its
 *   errors
 * @param limit the longest line in bytes, without the newline. Default 64 MiB
 */
export function createLineSplitter(onLine: (line: Uint8Array) => void, limit = maxLineBytes): LineSplitter {
  let begun: Buffer = Buffer.alloc(0);
  let pending = 0;

  function keep(chunk: Uint8Array, from: number, to: number): void {
    const bytes = pending + to - from;
    if (bytes > limit) throw tooLong(limit);
    if (bytes > begun.length) {
      // Double the size, so that a long line in many chunks is copied twice at most.
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * begun.length, smallestBuffer));
      begun.copy(larger, 0, 0, pending);
      begun = larger;
    }
    begun.set(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to), pending);
    pending = bytes;
  }

  return {
    push(chunk) {
      let from = 0;
      let at = chunk.indexOf(newline);
      if (at >= 0 && pending > 0) {
        keep(chunk, 0, at);
        const line = begun.subarray(0, pending);
        // A huge line must not keep its memory as long as the watch lives.
        if (begun.length > largestBuffer) begun = Buffer.alloc(0);
        pending = 0;
        onLine(line);
        from = at + 1;
        at = chunk.indexOf(newline, from);
      }
      while (at >= 0) {
        if (at - from > limit) throw tooLong(limit);
        if (at > from) onLine(chunk.subarray(from, at));
        from = at + 1;
        at = chunk.indexOf(newline, from);
      }
      if (from < chunk.length) keep(chunk, from, chunk.length);
    },
    get pending() {
      return pending;
    },
  };
}

const smallestBuffer = 16 * 1024;
const largestBuffer = 1024 * 1024;

/**
 * Yields the lines of a stream, split as `createLineSplitter` does. The caller may keep them.
 *
 * @throws RangeError when a line is longer than `limit` bytes
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  limit = maxLineBytes,
): AsyncGenerator<Uint8Array, void> {
  let lines: Uint8Array[] = [];
  const splitter = createLineSplitter((line) => lines.push(Uint8Array.prototype.slice.call(line)), limit);
  for await (const chunk of chunks) {
    splitter.push(chunk);
    const complete = lines;
    lines = [];
    yield* complete;
  }
}

function tooLong(limit: number): RangeError {
  return new RangeError(`a line of the watch stream is longer than ${limit} bytes`);
}
