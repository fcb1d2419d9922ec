/** The text is not a duration, or the number does not fit into one. */
export class DurationError extends Error {
  override readonly name = "DurationError";
}

const units: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const largest = 2n ** 63n - 1n;

/**
 * Parses `1h30m`, `1.5s`, `-2m`, `0`: the text of a metav1.Duration (Go: time.ParseDuration).
 *
 * @returns milliseconds, exact to the nanosecond below 49 days
 * @throws DurationError with Go's message
 */
export function parseDuration(text: string): number {
  return Number(parseDurationNanoseconds(text)) / 1e6;
}

/**
 * Like `parseDuration`, but returns nanoseconds.
 *
 * @returns nanoseconds, within 64 bits
 * @throws DurationError with Go's message
 */
export function parseDurationNanoseconds(text: string): bigint {
  const quoted = JSON.stringify(text);
  const invalid = () => new DurationError(`time: invalid duration ${quoted}`);
  const isNegative = text.startsWith("-");
  const parts = text.replace(/^[+-]/, "");
  if (parts === "0") return 0n;
  if (parts === "") throw invalid();
  let sum = 0n;
  for (const [part, whole = "", fraction = "", unit = ""] of parts.matchAll(
    /(\d*)(?:\.(\d*))?([^\d.]*)|\./gy,
  )) {
    if (part === "") break;
    if (whole + fraction === "") throw invalid();
    if (unit === "") throw new DurationError(`time: missing unit in duration ${quoted}`);
    const scale = Object.hasOwn(units, unit) ? units[unit] : undefined;
    if (scale === undefined) {
      throw new DurationError(`time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`);
    }
    const digits = whole.replace(/^0+/, "");
    if (digits.length > 19) throw invalid();
    sum += BigInt(digits || "0") * BigInt(scale) + partOf(fraction, scale);
    if (sum > largest + 1n) throw invalid();
  }
  if (sum > largest && !isNegative) throw invalid();
  return isNegative ? -sum : sum;
}

/** Go calculates fractions as floats and ignores the digits that do not fit into 64 bits. */
function partOf(fraction: string, unit: number): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction.slice(0, 19)) {
    const next = digits * 10n + BigInt(digit);
    if (next > largest) break;
    digits = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (unit / scale)));
}

/**
 * Formats milliseconds as a metav1.Duration: `1h30m0s`, `1.5s`, `250ms` (Go: Duration.String). Fractions of a
 * nanosecond are rounded.
 *
 * @throws DurationError when the number is not finite, or exceeds 64 bits of nanoseconds
 */
export function formatDuration(milliseconds: number): string {
  const rounded = Math.round(milliseconds * 1e6);
  if (!(rounded < 2 ** 63 && rounded >= -(2 ** 63))) {
    throw new DurationError(`${milliseconds} ms is not a duration (expected less than 292 years)`);
  }
  const nanoseconds = BigInt(rounded);
  const sign = nanoseconds < 0n ? "-" : "";
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (amount === 0n) return "0s";
  if (amount < 1_000n) return `${sign}${amount}ns`;
  if (amount < 1_000_000n) return `${sign}${decimal(amount, 3)}µs`;
  if (amount < 1_000_000_000n) return `${sign}${decimal(amount, 6)}ms`;
  const minutes = amount / 60_000_000_000n;
  const seconds = `${decimal(amount % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return `${sign}${hours > 0n ? `${hours}h` : ""}${minutes % 60n}m${seconds}`;
}

/** Returns `amount` × 10^-`digits` as text, without trailing zeros. */
function decimal(amount: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const fraction = String(amount % unit)
    .padStart(digits, "0")
    .replace(/0+$/, "");
  return `${amount / unit}${fraction && `.${fraction}`}`;
}
