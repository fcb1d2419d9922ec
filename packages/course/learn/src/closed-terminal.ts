/**
 * Lets the process outlive its terminal, so that it can stop what it started. A closed window fails reads,
 * writes and changes of mode with EIO, some of them in handlers of readline, where no caller can catch them.
 * Other uncaught errors still end the process.
 */
export function outliveTerminal(): void {
  for (const stream of [process.stdin, process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    if (error.code === "EIO") return;
    console.error(error);
    process.exitCode = 1;
    process.kill(process.pid, "SIGTERM");
  });
}

/** The input of a terminal. */
export type HangUpOf = Pick<NodeJS.ReadStream, "on" | "off" | "readableEnded" | "destroyed">;

/**
 * Calls `closed` when the terminal's input ends, or at once if it has ended. The end is only detected while
 * the input is read.
 */
export function onHangUp(input: HangUpOf, closed: () => void): Disposable {
  if (input.readableEnded || input.destroyed) closed();
  const events = ["end", "error", "close"] as const;
  for (const event of events) input.on(event, closed);
  return {
    [Symbol.dispose]() {
      for (const event of events) input.off(event, closed);
    },
  };
}

/**
 * Resolves with the result of `work`. Rejects with the signal's reason on abort: a prompt on a closed
 * terminal never answers.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
