/** A pipe in memory: what one side writes, the other reads; reading waits for writing, and writing never waits. */
export interface BytePipe extends AsyncIterable<Uint8Array> {
  write(chunk: Uint8Array): void;
  /** End of file for the reader. */
  end(): void;
  /** Next chunk; undefined at the end, or when the signal aborts first (what comes later stays in the pipe). */
  read(signal?: AbortSignal): Promise<Uint8Array | undefined>;
  readonly ended: boolean;
}

export function createBytePipe(): BytePipe {
  const chunks: Uint8Array[] = [];
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    const all = [...waiting];
    waiting.clear();
    for (const resolve of all) resolve();
  };
  async function read(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    for (;;) {
      if (signal?.aborted) return undefined;
      const chunk = chunks.shift();
      if (chunk) return chunk;
      if (ended) return undefined;
      await new Promise<void>((resolve) => {
        const done = () => {
          waiting.delete(done);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        waiting.add(done);
        signal?.addEventListener("abort", done, { once: true });
      });
    }
  }
  return {
    get ended() {
      return ended;
    },
    write(chunk) {
      if (ended || chunk.length === 0) return;
      chunks.push(chunk);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    read,
    async *[Symbol.asyncIterator]() {
      for (let chunk = await read(); chunk; chunk = await read()) yield chunk;
    },
  };
}
