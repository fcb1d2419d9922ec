import type { Clock } from "@operator-path/client";

/** A line of the log, parsed. */
export type LogLine = Readonly<Record<string, unknown>>;

/** At most one line in this many milliseconds says that an error repeats. */
const quiet = 10_000;
/** After this many milliseconds without it, an error is written in full again. */
const forgetAfter = 60_000;
/** The most errors to remember. */
const most = 1_000;

/** Fields that differ each time, although the error is the same. */
const ofOneAttempt = ["ts", "stacktrace", "reconcileID", "cause", "trace_id", "span_id", "trace_flags"];

/** The levels of retries. An informer that tries again warns. */
const repeatable: Readonly<Record<string, string>> = { warn: "warning", error: "error" };

interface Repeated {
  /** When a line about the error was written last, and when the error was seen last. */
  writtenAt: number;
  seenAt: number;
  /** How often it has been seen since the last line. */
  count: number;
}

/**
 * Returns a function that keeps a person's log short while a retry fails again and again. The first line of an
 * error or a warning passes. Later ones are undefined, except for one in ten seconds, which has the count
 * instead of the stack. Lines are of the same error if they differ only in time, stack, reconcile and trace.
 */
export function shortenRepeatedErrors(clock: Clock): (line: LogLine) => LogLine | undefined {
  const errors = new Map<string, Repeated>();
  return (line) => {
    const what = repeatable[String(line.level)];
    if (what === undefined) return line;
    const { stacktrace, ...rest } = line;
    const key = JSON.stringify({
      ...rest,
      ...Object.fromEntries(ofOneAttempt.map((name) => [name, undefined])),
    });
    const now = clock.steady();
    const known = errors.get(key);
    // The most recent error is the last one.
    errors.delete(key);
    if (known === undefined || now - known.seenAt >= forgetAfter) {
      const [oldest] = errors.keys();
      if (errors.size >= most && oldest !== undefined) errors.delete(oldest);
      errors.set(key, { writtenAt: now, seenAt: now, count: 0 });
      return line;
    }
    errors.set(key, known);
    known.seenAt = now;
    known.count++;
    const since = now - known.writtenAt;
    if (since < quiet) return undefined;
    const times = known.count === 1 ? "once more" : `${known.count} times`;
    Object.assign(known, { writtenAt: now, count: 0 });
    return {
      ...rest,
      msg: `${String(line.msg)}: the same ${what} ${times} in ${Math.round(since / 1000)} s`,
    };
  };
}
