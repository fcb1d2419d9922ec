/** Wakes those who wait for something to change. */
export interface Change {
  happened(): void;
  /** Resolves at the next change, or when the signal aborts. Leaves no listener on the signal. */
  next(signal?: AbortSignal): Promise<void>;
}

export function createChange(): Change {
  const waiting = new Set<() => void>();
  return {
    happened() {
      const all = [...waiting];
      waiting.clear();
      for (const resolve of all) resolve();
    },
    next: (signal) =>
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
