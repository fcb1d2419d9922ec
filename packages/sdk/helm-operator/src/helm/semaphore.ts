/** Grants a number of permits at a time. Other callers wait, in the order in which they came. */
interface Semaphore {
  /**
   * Waits for a permit.
   *
   * @returns a function that releases it; calling it again does nothing
   * @throws the signal's reason when it aborts before
   */
  acquire(signal?: AbortSignal): Promise<() => void>;
}

/** Returns a semaphore with this many permits. */
export function createSemaphore(permits: number): Semaphore {
  const waiting = new Set<() => void>();
  let free = permits;

  function permit(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = waiting;
      if (!next) free++;
      else next();
    };
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      if (free > 0) {
        free--;
        return permit();
      }
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(goOn);
          reject(signal?.reason);
        };
        const goOn = () => {
          waiting.delete(goOn);
          signal?.removeEventListener("abort", giveUp);
          resolve();
        };
        waiting.add(goOn);
        signal?.addEventListener("abort", giveUp, { once: true });
      });
      return permit();
    },
  };
}
