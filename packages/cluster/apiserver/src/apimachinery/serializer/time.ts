/** The text is not a time. The message is that of Go's time.Parse. */
export class TimeError extends Error {
  override readonly name = "TimeError";
}

const layout = "2006-01-02T15:04:05Z07:00";
const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Normalizes an RFC 3339 time to UTC, in whole seconds (meta/v1 Time) or microseconds (MicroTime). @throws
 * TimeError
 */
export function normalizeTime(text: string, precision: "seconds" | "microseconds"): string {
  const match = pattern.exec(text);
  const instant = Date.parse(text);
  if (match === null || Number.isNaN(instant)) {
    throw new TimeError(`parsing time ${JSON.stringify(text)} as "${layout}": ${explain(text)}`);
  }
  const whole = new Date(Math.floor(instant / 1000) * 1000).toISOString().slice(0, 19);
  if (precision === "seconds") return `${whole}Z`;
  return `${whole}.${(match[7] ?? ".").slice(1).padEnd(6, "0").slice(0, 6)}Z`;
}

const steps: [RegExp, string][] = [
  [/^\d{4}/, "2006"],
  [/^-/, "-"],
  [/^\d{2}/, "01"],
  [/^-/, "-"],
  [/^\d{2}/, "02"],
  [/^T/, "T"],
  [/^\d{2}/, "15"],
  [/^:/, ":"],
  [/^\d{2}/, "04"],
  [/^:/, ":"],
  [/^\d{2}(\.\d+)?/, "05"],
  [/^(Z|[+-]\d{2}:\d{2})/, "Z07:00"],
];

function explain(text: string): string {
  let rest = text;
  for (const [part, name] of steps) {
    const match = part.exec(rest);
    if (match === null) return `cannot parse ${JSON.stringify(rest)} as "${name}"`;
    rest = rest.slice(match[0].length);
  }
  return rest === "" ? "day out of range" : `extra text: ${JSON.stringify(rest)}`;
}
