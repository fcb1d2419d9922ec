const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * Formats a duration as kubectl shows ages (HumanDuration of k8s.io/apimachinery/pkg/util/duration). It has
 * at most two units, and the smaller one only while it matters: `119s`, `3m49s`, `45m`, `5h2m`, `30h`,
 * `5d4h`, `200d`, `3y20d`. Because two clocks may differ, less than 2 s below zero count as zero. Lower
 * values are `<invalid>`.
 *
 * @param ms milliseconds
 */
export function humanDuration(ms: number): string {
  if (Number.isNaN(ms) || ms <= -2 * SECOND) return "<invalid>";
  if (ms < SECOND) return "0s";
  if (ms < 2 * MINUTE) return `${whole(ms, SECOND)}s`;
  if (ms < 10 * MINUTE) return pair(ms, MINUTE, "m", SECOND, "s");
  if (ms < 3 * HOUR) return `${whole(ms, MINUTE)}m`;
  if (ms < 8 * HOUR) return pair(ms, HOUR, "h", MINUTE, "m");
  if (ms < 2 * DAY) return `${whole(ms, HOUR)}h`;
  if (ms < 8 * DAY) return pair(ms, DAY, "d", HOUR, "h");
  if (ms < 2 * YEAR) return `${whole(ms, DAY)}d`;
  if (ms < 8 * YEAR) return pair(ms, YEAR, "y", DAY, "d");
  return `${whole(ms, YEAR)}y`;
}

/**
 * Formats the time since an RFC 3339 timestamp. Returns `<unknown>` without a timestamp.
 * @param now milliseconds since the epoch
 */
export function age(timestamp: string | null | undefined, now: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === "") return "<unknown>";
  return humanDuration(now - Date.parse(timestamp));
}

function whole(ms: number, unit: number): number {
  return Math.floor(ms / unit);
}

function pair(ms: number, unit: number, name: string, smaller: number, smallerName: string): string {
  const rest = whole(ms % unit, smaller);
  return `${whole(ms, unit)}${name}${rest === 0 ? "" : `${rest}${smallerName}`}`;
}
