/**
 * Lets the process outlive its terminal, so that it can stop what it has started: a closed window fails reads, writes
 * and changes of mode with EIO, some of them where nobody can catch it (readline's own handlers). Any other uncaught
 * error ends the process as usual.
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

/** Calls `closed` when the terminal's input ends, however it does, or has ended already. It is noticed by whoever reads from it. */
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

/** The result of `work`, or the signal's reason as soon as it aborts: a prompt on a closed terminal never answers. */
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
