/**
 * Works through items, so many at a time, beginning with the first. When one fails, those under way are told by the
 * signal that they get, and no other begins. Resolves when all is done, or the caller's signal has aborted and nothing is
 * under way; rejects with the first error, when nothing is under way any more.
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
