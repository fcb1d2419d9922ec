/**
 * A pipe in memory: what one side writes, the other reads. A read waits for a write. A writer that passes on data from
 * outside must await `drained` between two chunks.
 */
export interface BytePipe extends AsyncIterable<Uint8Array> {
  write(chunk: Uint8Array): void;
  /** Resolves when less than `capacity` waits for the reader, nobody will read (`end`), or the signal aborts. */
  drained(signal?: AbortSignal): Promise<void>;
  /** End of file for the reader. */
  end(): void;
  /** Next chunk; undefined at the end, or when the signal aborts first (what comes later stays in the pipe). */
  read(signal?: AbortSignal): Promise<Uint8Array | undefined>;
  readonly ended: boolean;
}

/** @param capacity bytes; default 1 MiB */
export function createBytePipe(capacity = 1024 * 1024): BytePipe {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let ended = false;
  const changed = createCondition();
  async function read(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    for (;;) {
      if (signal?.aborted) return undefined;
      const chunk = chunks.shift();
      if (chunk) {
        size -= chunk.length;
        changed.notifyAll();
        return chunk;
      }
      if (ended) return undefined;
      await changed.wait(signal);
    }
  }
  return {
    get ended() {
      return ended;
    },
    write(chunk) {
      if (ended || chunk.length === 0) return;
      chunks.push(chunk);
      size += chunk.length;
      changed.notifyAll();
    },
    async drained(signal) {
      while (size >= capacity && !ended && !signal?.aborted) await changed.wait(signal);
    },
    end() {
      ended = true;
      changed.notifyAll();
    },
    read,
    async *[Symbol.asyncIterator]() {
      for (let chunk = await read(); chunk; chunk = await read()) yield chunk;
    },
  };
}

/** Wakes those who wait for something to change. */
export interface Condition {
  notifyAll(): void;
  /** Resolves at the next change, or when the signal aborts. Leaves no listener on the signal. */
  wait(signal?: AbortSignal): Promise<void>;
}

export function createCondition(): Condition {
  const waiting = new Set<() => void>();
  return {
    notifyAll() {
      const all = [...waiting];
      waiting.clear();
      for (const resolve of all) resolve();
    },
    wait: (signal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          waiting.delete(done);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        waiting.add(done);
        signal?.addEventListener("abort", done, { once: true });
      }),
  };
}
