import { TerminalError } from "../reconcile/terminal-error.ts";

/** A TerminalError, or an error that was caused by one (Go: errors.Is). */
export function isTerminal(error: unknown): boolean {
  return someCause(error, (each) => each instanceof TerminalError);
}

/**
 * What functions throw that were given a signal, when it aborts: its reason, an AbortError of Node's, or an error that one
 * of the two has caused.
 */
export function isAbort(error: unknown, reason: unknown): boolean {
  return someCause(error, (each) => each === reason || (each instanceof Error && each.name === "AbortError"));
}

const ofTheLanguage: readonly unknown[] = [TypeError, ReferenceError, RangeError].map(
  (each) => each.prototype,
);

/**
 * Where Go would have panicked: an error of the language itself (a field of undefined, a stack that is full), or something
 * that is no Error. One with a cause (as fetch has), with a code (as Node's own: a URL that is none) or of a class of its
 * own (UsageError) was made on purpose.
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
