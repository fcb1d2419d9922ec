import { type Clock, systemClock } from "@operator-path/client";
import { type Logger as PinoLogger, pino } from "pino";
import { activeTraceFields } from "../tracing/trace-fields.ts";
import { consoleLine } from "./console-line.ts";
import { errorFields } from "./error-fields.ts";
import type { Logger } from "./logger.ts";

export interface LoggerOptions {
  /** The least that is written. Default "info". "debug" tells of every reconcile. */
  level?: "debug" | "info" | "warn" | "error" | "silent" | undefined;
  /** "json": a line of JSON each, for machines. "console": for people. Default: "console" on a terminal, else "json". */
  format?: "json" | "console" | undefined;
  /** Default: stderr. */
  destination?: { write(text: string): unknown } | undefined;
  clock?: Clock | undefined;
}

/**
 * A pino logger with the fields that Go's operators write: level, ts, logger, msg, error, stacktrace; in a span of
 * OpenTelemetry's, trace_id, span_id and trace_flags as well.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = "info", destination = process.stderr, clock = systemClock } = options;
  const { format = isTerminal(destination) ? "console" : "json" } = options;
  const stream =
    format === "json"
      ? { write: (line: string) => void destination.write(line) }
      : { write: (line: string) => void destination.write(consoleLine(line)) };
  return pino(
    {
      level,
      base: null,
      mixin: (_fields, _level, logger: PinoLogger) => traceOf(logger),
      messageKey: "msg",
      // `log.error(error)` says the same as `log.error({ error }, error.message)`.
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

/** Once a line: a reconcile's logger says it by itself. */
function traceOf(logger: PinoLogger): object {
  const fields = activeTraceFields();
  return fields && !("trace_id" in logger.bindings()) ? fields : {};
}

function isTerminal(destination: object): boolean {
  return "isTTY" in destination && destination.isTTY === true;
}
