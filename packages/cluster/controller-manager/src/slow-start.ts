/**
 * Calls `create` `count` times, in parallel batches of 1, 2, 4, … and stops after the first batch in which a call failed.
 * Whatever refuses one of a thousand Pods (a quota, an invalid template) refuses all of them: this way the API server
 * hears of it once or twice, not a thousand times.
 *
 * Resolves with the number of calls that succeeded, and the first error; calls of the failed batch are waited for.
 */
export async function slowStart(
  count: number,
  create: () => Promise<void>,
): Promise<{ succeeded: number; error?: unknown }> {
  let succeeded = 0;
  for (let batch = Math.min(count, 1); batch > 0; batch = Math.min(2 * batch, count - succeeded)) {
    const results = await Promise.allSettled(Array.from({ length: batch }, create));
    const failure = results.find((result) => result.status === "rejected");
    succeeded += results.filter((result) => result.status === "fulfilled").length;
    if (failure !== undefined) return { succeeded, error: failure.reason };
  }
  return { succeeded };
}
