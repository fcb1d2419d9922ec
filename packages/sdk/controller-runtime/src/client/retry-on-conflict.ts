import { type Clock, isConflict, systemClock } from "@operator-path/client";

/** Configures `retryOnConflict`. */
export interface RetryOptions {
  /** The number of attempts in total. Default 5. */
  attempts?: number | undefined;
  /** Milliseconds between attempts, plus up to 10 % at random. Default 10. */
  delay?: number | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Calls `attempt` again while it throws a Conflict. Read the object inside `attempt`, or every attempt sends
 * the same old version. client-go: retry.RetryOnConflict with DefaultRetry.
 *
 * ```ts
 * await retryOnConflict(async () => {
 *   const current = await client.get(configMaps, key);
 *   await client.update({ ...current, data: { ...current.data, colour } });
 * });
 * ```
 *
 * A reconciler seldom needs it: throw the Conflict, and the controller reconciles again.
 *
 * @throws the last Conflict, or any other error of `attempt`
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
