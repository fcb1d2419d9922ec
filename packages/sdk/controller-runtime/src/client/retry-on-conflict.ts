import { type Clock, isConflict, systemClock } from "@operator-path/client";

export interface RetryOptions {
  /** How often it is tried in all. Default 5. */
  attempts?: number | undefined;
  /** Milliseconds between two attempts; a tenth more at random. Default 10. */
  delay?: number | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Tries again while the answer is a Conflict (client-go: retry.RetryOnConflict with DefaultRetry). The object has to be
 * read inside, or every attempt has the same old version:
 *
 * ```ts
 * await retryOnConflict(async () => {
 *   const current = await client.get(configMaps, key);
 *   await client.update({ ...current, data: { ...current.data, colour } });
 * });
 * ```
 *
 * A reconciler seldom needs it: it throws the Conflict, and is called again.
 *
 * @throws the last Conflict, or whatever else `attempt` throws
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T>,
  { attempts = 5, delay = 10, clock = systemClock, random = Math.random, signal }: RetryOptions = {},
): Promise<T> {
  for (let left = attempts - 1; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || left <= 0) throw error;
      await clock.sleep(delay * (1 + random() / 10), signal);
    }
  }
}
