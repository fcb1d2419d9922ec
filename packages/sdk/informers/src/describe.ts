/**
 * Returns a printable text for any thrown value. A thrown value need not be an Error, and may throw when it
 * is converted to a string. Never throws.
 *
 * @param part "stack" returns the stack of an Error, if it has one. Default "message".
 */
export function describe(thrown: unknown, part: "message" | "stack" = "message"): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown);
    const text = part === "stack" ? (thrown.stack ?? thrown.message) : thrown.message;
    return String(text);
  } catch {
    return `a value that cannot be printed (${typeof thrown})`;
  }
}

/** Returns the thrown value as an Error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describe(thrown));
}

/**
 * Wraps a log function so that it never throws. There is nowhere left to report such a failure, and the
 * caller must go on.
 */
export function guardLog(log: (line: string) => void): (line: string) => void {
  return (line) => {
    try {
      log(line);
    } catch {
      // The failure of a log cannot be logged.
    }
  };
}
