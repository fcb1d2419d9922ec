import { DurationError, parseDurationNanoseconds } from "@operator-path/client";
import { fail, type Library, member } from "../functions.ts";
import { duration, int, string, timestamp } from "../types.ts";
import { CelDuration, CelTimestamp, isInt64 } from "../values.ts";

const second = 1_000_000_000n;
/** The years 1 to 9999. */
const earliest = -62_135_596_800n * second;
const latest = 253_402_300_800n * second;

/** Returns a duration. @throws CelEvaluationError if it does not fit into 64 bits of nanoseconds */
export function checkDuration(nanoseconds: bigint): CelDuration {
  return isInt64(nanoseconds) ? new CelDuration(nanoseconds) : fail("duration overflow");
}

/** Returns a timestamp. @throws CelEvaluationError outside of the years 1 to 9999 */
export function checkTimestamp(nanoseconds: bigint): CelTimestamp {
  if (nanoseconds >= earliest && nanoseconds < latest) return new CelTimestamp(nanoseconds);
  return fail("timestamp overflow");
}

/**
 * Parses a duration like Go's time.ParseDuration: `1h30m`, `-1.5s`, `0`. Returns undefined if the text is
 * invalid.
 */
export function parseDuration(text: string): CelDuration | undefined {
  try {
    return new CelDuration(parseDurationNanoseconds(text));
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

/** Formats a duration in seconds: `90s`, `-1.5s`. */
export function formatDuration({ nanoseconds }: CelDuration): string {
  const seconds = Number(nanoseconds / second) + Number(nanoseconds % second) / 1e9;
  return `${Object.is(seconds, -0) ? 0 : seconds}s`;
}

/** Parses RFC 3339. Returns undefined if the text is invalid or out of range. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(
    text,
  );
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, seconds, fraction = "", zone = "Z"] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(seconds));
  const isReal =
    date.getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60 && Number(seconds) < 60;
  if (!isReal || Number(month) > 12 || Number(month) < 1) return undefined;
  const offset = zone === "Z" ? 0 : offsetOf(zone);
  if (offset === undefined) return undefined;
  const nanoseconds =
    BigInt(date.getTime()) * 1_000_000n +
    BigInt(fraction.slice(0, 9).padEnd(9, "0")) -
    BigInt(offset) * second;
  return nanoseconds >= earliest && nanoseconds < latest ? new CelTimestamp(nanoseconds) : undefined;
}

/** Formats like Go's RFC3339Nano: `2020-01-01T00:00:00.5Z`. */
export function formatTimestamp({ nanoseconds }: CelTimestamp): string {
  const { date, nanos } = split(nanoseconds);
  const fraction = nanos === 0n ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

function split(nanoseconds: bigint): { date: Date; nanos: bigint } {
  const nanos = ((nanoseconds % second) + second) % second;
  return { date: new Date(Number((nanoseconds - nanos) / 1_000_000n)), nanos };
}

/** Returns `+02:00` in seconds. */
function offsetOf(zone: string): number | undefined {
  const match = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (match === null || Number(match[2]) > 24 || Number(match[3]) > 59) return undefined;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
}

/** Returns the local time in a zone, as if it were UTC. @throws CelEvaluationError for an unknown zone */
function inZone(time: CelTimestamp, zone: string): CelTimestamp {
  const offset = offsetOf(zone) ?? namedOffset(time, zone);
  return new CelTimestamp(time.nanoseconds + BigInt(offset) * second);
}

function namedOffset({ nanoseconds }: CelTimestamp, zone: string): number {
  if (zone === "UTC" || zone === "") return 0;
  const { date } = split(nanoseconds);
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    const name = format.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
    return name === "GMT" ? 0 : (offsetOf(name.slice(3)) ?? 0);
  } catch {
    return fail(`unknown time zone ${zone}`);
  }
}

type Part = (date: Date, nanoseconds: bigint) => number;

/** Returns the overloads of a part: in UTC, or in a named zone. */
function part(read: Part) {
  const of = (time: CelTimestamp) => {
    const { date, nanos } = split(time.nanoseconds);
    return BigInt(read(date, nanos));
  };
  return [
    member([timestamp], int, of),
    member([timestamp, string], int, (time: CelTimestamp, zone: string) => of(inZone(time, zone))),
  ];
}

function whole(unit: bigint) {
  return member([duration], int, ({ nanoseconds }: CelDuration) => nanoseconds / unit);
}

function dayOfYear(date: Date): number {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  return Math.round((date.getTime() - start.getTime()) / 86_400_000);
}

/** Functions that return parts of times and durations: `t.getHours("+02:00")`. */
export const times: Library = {
  getFullYear: part((date) => date.getUTCFullYear()),
  getMonth: part((date) => date.getUTCMonth()),
  getDayOfYear: part(dayOfYear),
  getDayOfMonth: part((date) => date.getUTCDate() - 1),
  getDate: part((date) => date.getUTCDate()),
  getDayOfWeek: part((date) => date.getUTCDay()),
  getHours: [...part((date) => date.getUTCHours()), whole(3600n * second)],
  getMinutes: [...part((date) => date.getUTCMinutes()), whole(60n * second)],
  getSeconds: [...part((date) => date.getUTCSeconds()), whole(second)],
  getMilliseconds: [...part((_date, nanos) => Number(nanos / 1_000_000n)), whole(1_000_000n)],
};
