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

/** In milliseconds. A duration in seconds may be this long: images take seconds or minutes to pull. */
const slowest = 240_000;

/** The factors by which a value may exceed its sample, and fall short of it. */
const more = 8;
const less = 20;

/**
 * Reports whether a duration has the same order of magnitude as the page's sample:
 *
 * - a sample in milliseconds matches up to a second
 * - a sample in seconds matches up to four minutes, and milliseconds down to a twentieth of it
 * - a longer sample matches from a twentieth of it to eight times as much
 *
 * @param unhurried seconds and more have no upper bound
 */
export function isLikeDuration(sample: string, value: string, unhurried = false): boolean {
  const [shown, seen] = [milliseconds(sample), milliseconds(value)];
  // No program prints `0h`: it is a typing error.
  if (shown === 0 && !sample.endsWith("s")) return false;
  const floor = shown >= 60_000 || isBelowSecond(value) ? shown / less : 0;
  if (seen < floor) return false;
  if (isBelowSecond(sample)) return seen <= Math.max(shown * more, 1000);
  return unhurried || seen <= Math.max(shown * more, slowest);
}

/**
 * The same for ages of Events: `5s`, `5s (x3 over 2m)`. A sample without a count also matches an Event that
 * was counted a few times.
 */
export function isLikeEventAge(sample: string, value: string, unhurried = false): boolean {
  if (sample === value) return true;
  const [shown, seen] = [eventAge(sample), eventAge(value)];
  if (!isLikeDuration(shown.age, seen.age, unhurried) || !isLikeCount(shown.count, seen.count)) return false;
  return (
    shown.over === undefined || seen.over === undefined || isLikeDuration(shown.over, seen.over, unhurried)
  );
}

/** The same for counts and sizes: from a twentieth of the sample to eight times as much. */
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
