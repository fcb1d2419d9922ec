/**
 * A pipe in memory. A read waits for a write. A writer that forwards data from outside must await `drained`
 * between two chunks.
 */
export interface BytePipe extends AsyncIterable<Uint8Array> {
  write(chunk: Uint8Array): void;
  /** Resolves when the pipe holds less than `capacity`, when it has ended, or when the signal aborts. */
  drained(signal?: AbortSignal): Promise<void>;
  /** Signals end of file to the reader. */
  end(): void;
  /**
   * Returns the next chunk. Returns undefined at the end, or when the signal aborts first; later chunks then
   * stay in the pipe.
   */
  read(signal?: AbortSignal): Promise<Uint8Array | undefined>;
}

/** The capacity of a pipe, in bytes. */
const capacity = 1024 * 1024;

export function createBytePipe(): BytePipe {
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

/** A condition variable. */
export interface Condition {
  notifyAll(): void;
  /** Resolves at the next notification, or when the signal aborts. Leaves no listener on the signal. */
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
