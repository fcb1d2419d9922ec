/** `Date.parse` takes more: dates without a time, times without a zone (which are local), the 30th of February. */
const format =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Milliseconds since the epoch; NaN for what is no RFC 3339 time as Go reads it (time.Parse with time.RFC3339). */
export function parseRfc3339(text: string): number {
  const [, day] = format.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  const midnight = new Date(day);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return isDay ? Date.parse(text) : Number.NaN;
}
