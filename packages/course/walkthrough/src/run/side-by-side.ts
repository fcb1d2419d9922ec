/**
 * Works through items in order, `jobs` at a time. An error aborts the signal of the running items, and no
 * other begins. Resolves when all items are done, or when the caller's signal has aborted and no item runs.
 * Rejects with the first error when no item runs any more.
 */
export async function sideBySide<Item>(
  items: readonly Item[],
  { jobs, signal: outer }: { readonly jobs: number; readonly signal?: AbortSignal },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const failed = new AbortController();
  const signal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal;
  const errors: unknown[] = [];
  async function workOn(): Promise<void> {
    while (waiting.length > 0 && !signal.aborted) {
      try {
        await work(waiting.shift() as Item, signal);
      } catch (error) {
        errors.push(error);
        failed.abort();
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, workOn));
  if (errors.length > 0) throw errors[0];
}
