import { type Clock, systemClock } from "@operator-path/client";
import { type Logger as PinoLogger, pino } from "pino";
import { activeTraceFields } from "../tracing/trace-fields.ts";
import { consoleLine } from "./console-line.ts";
import { errorFields } from "./error-fields.ts";
import type { Logger } from "./logger.ts";
import { type LogLine, shortenRepeatedErrors } from "./repeated-errors.ts";

/** Configures `createLogger`. */
export interface LoggerOptions {
  /** The lowest level to write. Default "info". "debug" logs every reconcile. */
  level?: "debug" | "info" | "warn" | "error" | "silent" | undefined;
  /**
   * "json" for machines, one object per line. "console" for people: an error that repeats has its stack once,
   * and then a line with the count at most every ten seconds. Default: "console" on a terminal, otherwise "json".
   */
  format?: "json" | "console" | undefined;
  /** Default: stderr. */
  destination?: { write(text: string): unknown } | undefined;
  clock?: Clock | undefined;
}

/**
 * Creates a pino logger with the fields of Go operators: level, ts, logger, msg, error, stacktrace. Inside an
 * OpenTelemetry span it adds trace_id, span_id and trace_flags.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = "info", destination = process.stderr, clock = systemClock } = options;
  const { format = isTerminal(destination) ? "console" : "json" } = options;
  const stream =
    format === "json"
      ? { write: (line: string) => void destination.write(line) }
      : forPeople(destination, clock);
  return pino(
    {
      level,
      base: null,
      mixin: (_fields, _level, logger: PinoLogger) => traceOf(logger),
      messageKey: "msg",
      // Makes `log.error(error)` equal to `log.error({ error }, error.message)`.
      errorKey: "error",
      timestamp: () => `,"ts":"${new Date(clock.now()).toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => ("error" in fields ? { ...fields, ...errorFields(fields.error) } : fields),
      },
    },
    stream,
  );
}

function forPeople(destination: { write(text: string): unknown }, clock: Clock) {
  const shorten = shortenRepeatedErrors(clock);
  return {
    write(line: string): void {
      const shown = shorten(JSON.parse(line) as LogLine);
      if (shown) destination.write(consoleLine(shown));
    },
  };
}

/** Avoids duplicate fields: a reconcile's logger already has them. */
function traceOf(logger: PinoLogger): object {
  const fields = activeTraceFields();
  return fields && !("trace_id" in logger.bindings()) ? fields : {};
}

function isTerminal(destination: object): boolean {
  return "isTTY" in destination && destination.isTTY === true;
}
