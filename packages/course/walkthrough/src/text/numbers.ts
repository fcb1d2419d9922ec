/** A number in a text, in digits or in words. */
export interface TextNumber {
  /** As written, without a unit: `120`, `1.16`, `ten thousand`, `twice`, the `a` of `a minute`. */
  readonly text: string;
  /** Offset in the text. */
  readonly at: number;
  readonly value: number;
  /** Milliseconds in the unit of time that follows the number. */
  readonly unitMs?: number;
  /** `some`, `about` or a similar word comes before the number. */
  readonly approximate: boolean;
}

const cardinals: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const multipliers: Readonly<Record<string, number>> = {
  hundred: 100,
  hundreds: 100,
  thousand: 1000,
  thousands: 1000,
  million: 1_000_000,
  millions: 1_000_000,
  dozen: 12,
  dozens: 12,
};
// Without "first" and "second": they mostly order things, and a second is also a unit.
const others: Readonly<Record<string, number>> = {
  zero: 0,
  half: 0.5,
  quarter: 0.25,
  twice: 2,
  thrice: 3,
  double: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
};
const word = [cardinals, multipliers, others].flatMap((table) => Object.keys(table)).join("|");
const words = `\\b(?:${word})\\b(?:[ -](?:${word})\\b)*`;
// A digit within a word is part of a name (WSL2, v1), unless a unit follows it.
const digits = "(?<![\\w.-]|\\w:)-?\\d[\\d_,]*(?:\\.\\d+)*(?=(?:ms|s|m|h|d|[KMG]i?B)?\\b)(?!-\\w)";
// "A second" is mostly an ordinal. "Half an hour" has a number already.
const article = "(?<!\\bhalf )\\ban?(?= (?:millisecond|minute|hour)\\b)";
const number = new RegExp(`${digits}|${words}|${article}`, "gi");
const units: readonly (readonly [RegExp, number])[] = [
  [/^ ?(?:ms|milliseconds?)\b/, 1],
  [/^ ?(?:s|secs?|seconds?)\b/, 1000],
  [/^ ?(?:m|mins?|minutes?)\b/, 60_000],
  [/^(?: an?)? ?(?:h|hours?)\b/, 3_600_000],
  [/^ ?days?\b/, 86_400_000],
];

/**
 * Finds the numbers of a text. `one`, `once`, `both`, `first` and `second` do not count: they rarely mean a
 * number.
 */
export function findNumbers(text: string): TextNumber[] {
  return [...text.matchAll(number)].flatMap((match) => {
    const written = match[0].replace(/[,_]+$/, "");
    const value = numberIn(written);
    if (value === undefined) return [];
    const after = text.slice(match.index + written.length);
    const unitMs = units.find(([unit]) => unit.test(after))?.[1];
    const before = text.slice(0, match.index);
    const approximate = /\b(?:some|about|around|roughly|nearly|almost) $/i.test(before);
    return [{ text: written, at: match.index, value, approximate, ...(unitMs !== undefined && { unitMs }) }];
  });
}

/** Returns the value of a number as a text or a program writes it: `1_000`, `1,000`, `-1`, `ten thousand`. */
export function numberIn(written: string): number | undefined {
  if (/^-?\d/.test(written)) {
    const value = Number(written.replaceAll(/[_,]/g, ""));
    // A version is compared as text: it has no value as a number.
    return Number.isNaN(value) ? Number.NaN : value;
  }
  if (/^an?$/i.test(written)) return 1;
  let sum: number | undefined;
  for (const part of written.toLowerCase().split(/[ -]/)) {
    const plain = cardinals[part] ?? others[part];
    const times = multipliers[part];
    if (times !== undefined) sum = (sum ?? 1) * times;
    else if (plain !== undefined) sum = (sum ?? 0) + plain;
    else return undefined;
  }
  return sum;
}
