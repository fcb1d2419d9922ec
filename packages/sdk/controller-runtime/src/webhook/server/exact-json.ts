/** What integers of a JSON text were that no number of JavaScript's is exactly, by the number that each became. */
export type LargeIntegers = ReadonlyMap<number, readonly string[]>;

export interface ParsedJson {
  readonly value: unknown;
  readonly large: LargeIntegers;
}

/** A digit more than every safe integer has: other texts take the short way. */
const mayBeLarge = /\d{16}/;
const none: LargeIntegers = new Map();

/**
 * Reads JSON, and remembers integers beyond 2^53: an API server has int64, and what is sent back to it must be what it sent.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): ParsedJson {
  if (!mayBeLarge.test(text)) return { value: JSON.parse(text), large: none };
  const large = new Map<number, string[]>();
  function note(_key: string, value: unknown, context?: { source?: string }): unknown {
    const source = context?.source ?? "";
    if (typeof value !== "number" || Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return value;
    const known = large.get(value) ?? [];
    if (!known.includes(source)) large.set(value, [...known, source]);
    return value;
  }
  return { value: JSON.parse(text, note), large };
}

/** Of JavaScript since 2025; the compiler's library does not have it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Writes JSON with the integers that were read.
 *
 * @throws Error when it cannot be told which of two integers a number was
 */
export function stringifyJson(value: unknown, large: LargeIntegers): string {
  if (large.size === 0) return JSON.stringify(value);
  return JSON.stringify(value, (_key, each: unknown) => {
    const sources = typeof each === "number" ? large.get(each) : undefined;
    if (!sources) return each;
    const [source = "", other] = sources;
    if (other === undefined) return rawJSON(source);
    throw new Error(
      `${each} may be ${source} or ${other}: JavaScript has no numbers for integers that large; keep them in strings`,
    );
  });
}
