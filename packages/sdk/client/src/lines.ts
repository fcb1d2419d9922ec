/** A line longer than this many bytes is an error: an object is at most 3 MiB in a request (etcd: 1.5 MiB). */
export const maxLineBytes = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * Splits a stream of bytes at newlines. Bytes are never decoded here, so a character cut in two by a chunk boundary is
 * whole again in its line. A last line without a newline is *not* yielded: a watch that was cut in the middle of an
 * event has not delivered that event.
 *
 * @throws RangeError when a line is longer than `limit` bytes
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  limit = maxLineBytes,
): AsyncGenerator<Uint8Array, void> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline, from); at >= 0; at = chunk.indexOf(newline, from)) {
      const end = chunk.subarray(from, at);
      from = at + 1;
      const line = begunBytes === 0 ? end : Buffer.concat([...begun, end], begunBytes + end.length);
      begun = [];
      begunBytes = 0;
      if (line.length > limit) throw tooLong(limit);
      if (line.length > 0) yield line;
    }
    if (from < chunk.length) {
      begun.push(chunk.subarray(from));
      begunBytes += chunk.length - from;
      if (begunBytes > limit) throw tooLong(limit);
    }
  }
}

function tooLong(limit: number): RangeError {
  return new RangeError(`a line of the watch stream is longer than ${limit} bytes`);
}
