/** What a shell reports for a program that Ctrl+C ended. */
const interrupted = 130;

/**
 * Runs `work` with a signal that aborts on Ctrl+C, on SIGTERM and when the terminal is closed, so that what it has
 * started can be stopped in order. Resolves to its exit status, or to 130 after an abort.
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const abort = new AbortController();
  const stop = (): void => abort.abort(new Error("interrupted"));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    const status = await work(abort.signal);
    return abort.signal.aborted ? interrupted : status;
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    return interrupted;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
