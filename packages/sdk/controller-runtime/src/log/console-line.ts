import type { LogLine } from "./repeated-errors.ts";

/**
 * Formats a line for people: time, level, name, message and other fields, separated by tabs. The format is that
 * of zap's console encoder:
 *
 *     2026-…Z  INFO  controllers.Memcached  Creating a Deployment  {"namespace":"default"}
 */
export function consoleLine(line: LogLine): string {
  const { level, ts, logger, msg, stacktrace, ...fields } = line;
  const parts = [ts, String(level).toUpperCase(), logger, msg].filter((part) => part !== undefined);
  if (Object.keys(fields).length > 0) parts.push(JSON.stringify(fields));
  const trace = typeof stacktrace === "string" ? `\n\t${stacktrace.replaceAll("\n", "\n\t")}` : "";
  return `${parts.join("\t")}${trace}\n`;
}
