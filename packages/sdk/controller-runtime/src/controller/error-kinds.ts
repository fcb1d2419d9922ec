import { TerminalError } from "../reconcile/terminal-error.ts";

/** Returns whether the error is, or was caused by, a TerminalError. Go: errors.Is. */
export function isTerminal(error: unknown): boolean {
  return someCause(error, (each) => each instanceof TerminalError);
}

/**
 * Returns whether the error results from an aborted signal: the signal's reason, Node's AbortError, or an
 * error caused by one of them.
 */
export function isAbort(error: unknown, reason: unknown): boolean {
  return someCause(error, (each) => each === reason || (each instanceof Error && each.name === "AbortError"));
}

const ofTheLanguage: readonly unknown[] = [TypeError, ReferenceError, RangeError].map(
  (each) => each.prototype,
);

/**
 * Returns whether Go would have panicked: an error of the language itself (a field of undefined, a stack
 * overflow), or a value that is not an Error. Errors with a cause (as from fetch), with a code (as from Node
 * for an invalid URL) or of a custom class (UsageError) were thrown on purpose.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const isOnPurpose = error.cause !== undefined || "code" in error;
  return !isOnPurpose && ofTheLanguage.includes(Object.getPrototypeOf(error));
}

function someCause(error: unknown, test: (error: unknown) => boolean, depth = 0): boolean {
  if (test(error)) return true;
  if (!(error instanceof Error) || depth === 10) return false;
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error.cause, ...inner].some((each) => each !== undefined && someCause(each, test, depth + 1));
}
