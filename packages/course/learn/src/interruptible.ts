import { type HangUpOf, onHangUp } from "./closed-terminal.ts";

/** The status that a shell reports for a program that Ctrl+C ended. */
const interrupted = 130;

/** The longest time of a timer. */
const longMs = 2 ** 31 - 1;

/**
 * Runs `work` with a signal that aborts on Ctrl+C, on SIGTERM and when the terminal closes, so that `work`
 * can stop what it started. Resolves to its exit status, or to 130 after an abort.
 *
 * @param terminal input of the terminal that `work` asks questions on. Its end aborts too, because SIGHUP
 *   comes later, or only reaches a program between the terminal and this process
 */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<number>,
  terminal?: HangUpOf,
): Promise<number> {
  const abort = new AbortController();
  const stop = (): void => abort.abort(new Error("interrupted"));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  using _hangUp = terminal && onHangUp(terminal, stop);
  // Node would end when the terminal of a prompt closes, before `work` has cleaned up. The timer keeps it
  // alive.
  const alive = setInterval(() => undefined, longMs);
  try {
    const status = await work(abort.signal);
    return abort.signal.aborted ? interrupted : status;
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    return interrupted;
  } finally {
    clearInterval(alive);
    for (const signal of signals) process.off(signal, stop);
  }
}
