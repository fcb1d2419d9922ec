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
