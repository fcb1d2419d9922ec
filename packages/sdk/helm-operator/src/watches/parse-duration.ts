const milliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** What an int64 of nanoseconds holds. */
const maximum = 2 ** 63 / 1e6;

/** Go's time.ParseDuration, without a minus: "1h30m", "1.5s", "0" in milliseconds; undefined for what is none. */
export function parseDuration(text: string): number | undefined {
  const unsigned = text.replace(/^\+/, "");
  if (unsigned === "0") return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(unsigned)) return undefined;
  let sum = 0;
  for (const [, number, unit = ""] of unsigned.matchAll(/([\d.]+)([^\d.]+)/g)) {
    sum += Number(number) * (milliseconds[unit] ?? Number.NaN);
  }
  return sum < maximum ? sum : undefined;
}
