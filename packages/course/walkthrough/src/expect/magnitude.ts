const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  y: 31_536_000_000,
};

/** Containers start and images are pulled in seconds or in minutes: what a page shows as seconds may take this long. */
const slowest = 240_000;

/** Times by which a value may exceed its sample, and fall short of it. */
const more = 8;
const less = 20;

/**
 * Whether a duration is of the same order of magnitude as the one that a page shows. Seconds stand for up to four minutes,
 * milliseconds for up to a second; a minute and more for up to eight times as much, and down to a twentieth. Seconds stand
 * for milliseconds only down to a twentieth.
 */
export function isLikeDuration(sample: string, value: string): boolean {
  const [shown, seen] = [milliseconds(sample), milliseconds(value)];
  // Nothing prints no hours: it is a slip.
  if (shown === 0 && !sample.endsWith("s")) return false;
  const floor = shown >= 60_000 || isBelowSecond(value) ? shown / less : 0;
  return seen >= floor && seen <= Math.max(shown * more, isBelowSecond(sample) ? 1000 : slowest);
}

/** Ages of Events: `5s`, `5s (x3 over 2m)`. A sample without a count stands for one that was counted a few times. */
export function isLikeEventAge(sample: string, value: string): boolean {
  if (sample === value) return true;
  const [shown, seen] = [eventAge(sample), eventAge(value)];
  if (!isLikeDuration(shown.age, seen.age) || !isLikeCount(shown.count, seen.count)) return false;
  return shown.over === undefined || seen.over === undefined || isLikeDuration(shown.over, seen.over);
}

/** Counts and sizes: up to eight times as much, and down to a twentieth. */
export function isLikeCount(sample: number, value: number): boolean {
  return value <= sample * more && value >= sample / less;
}

function eventAge(text: string): { age: string; count: number; over?: string } {
  const [, age = "", count, over] = /^(\S+)(?: \(x(\d+) over (\S+)\))?$/.exec(text) ?? [];
  return { age, count: count === undefined ? 1 : Number(count), ...(over !== undefined && { over }) };
}

/** `0s` is a time in seconds. */
function isBelowSecond(sample: string): boolean {
  return /^[\d.]+(?:ns|us|µs|ms)$/.test(sample);
}

function milliseconds(duration: string): number {
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|µs|us|ns|y|d|h|m|s)/g)];
  return parts.reduce((sum, [, number, unit = ""]) => sum + Number(number) * (unitMs[unit] ?? 0), 0);
}
