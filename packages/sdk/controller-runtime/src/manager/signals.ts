/** Why a signal of `setupSignalHandler` aborts. */
export class TerminatedError extends Error {
  override readonly name = "TerminatedError";
}

/**
 * A signal for `manager.start` that aborts at SIGTERM or SIGINT (Go: ctrl.SetupSignalHandler). A second one ends the
 * process at once, with the exit code 1. To be called once, in a program's main file.
 */
export function setupSignalHandler(): AbortSignal {
  const controller = new AbortController();
  let received = 0;
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      received++;
      if (received === 1) controller.abort(new TerminatedError(`received ${name}`));
      else if (received === 2) endProcess(name);
    });
  }
  return controller.signal;
}

/**
 * By an error that nobody catches: the one way out that a library has. The signal itself, raised again, would not do in a
 * container: the kernel keeps process 1 from what would end it.
 */
function endProcess(name: string): void {
  const error = new TerminatedError(`received ${name} again: ended without waiting any longer`);
  error.stack = `${error.name}: ${error.message}`;
  setImmediate(() => {
    throw error;
  });
}
