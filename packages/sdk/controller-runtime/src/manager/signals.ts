/** The reason with which a signal of `setupSignalHandler` aborts. */
export class TerminatedError extends Error {
  override readonly name = "TerminatedError";
}

/**
 * Returns a signal for `manager.start` that aborts at SIGTERM or SIGINT. A second one ends the process at
 * once with exit code 1. Call it once, in the main file. Go: ctrl.SetupSignalHandler.
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
 * Ends the process with an uncaught error, since a library must not call process.exit. Sending the signal
 * again would not work in a container: the kernel protects process 1 from it.
 */
function endProcess(name: string): void {
  const error = new TerminatedError(`received ${name} again: ended without waiting`);
  error.stack = `${error.name}: ${error.message}`;
  setImmediate(() => {
    throw error;
  });
}
