const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * A duration as kubectl shows ages: two units at most, and the smaller one only while it matters: `119s`, `3m49s`, `45m`,
 * `5h2m`, `30h`, `5d4h`, `200d`, `3y20d`. (k8s.io/apimachinery/pkg/util/duration, HumanDuration)
 *
 * Two clocks may differ by a little: up to 2 s before zero count as zero, anything further is `<invalid>`.
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
 * The time since an RFC 3339 timestamp.
 *
 * @param now milliseconds since the epoch
 * @returns `<unknown>` for no timestamp
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
