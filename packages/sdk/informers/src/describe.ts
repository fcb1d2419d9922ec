/**
 * Text of what was thrown, whatever it is: thrown values need not be errors, nor printable, and to say what went wrong must
 * not be what goes wrong. Never throws.
 *
 * @param part "stack" for who has to find the line: of an Error its stack, if it has one
 */
export function describe(thrown: unknown, part: "message" | "stack" = "message"): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown);
    const text = part === "stack" ? (thrown.stack ?? thrown.message) : thrown.message;
    return String(text);
  } catch {
    return `something that cannot be printed (${typeof thrown})`;
  }
}

/** What was thrown as an Error, which it need not be. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describe(thrown));
}

/** A log that does not throw: there is nowhere left to tell of it, and whoever logs goes on. */
export function guardLog(log: (line: string) => void): (line: string) => void {
  return (line) => {
    try {
      log(line);
    } catch {
      // See above.
    }
  };
}
