/** The exact texts of integers that JavaScript cannot represent, by the number that each became. */
export type LargeIntegers = ReadonlyMap<number, readonly string[]>;

export interface ParsedJson {
  readonly value: unknown;
  readonly large: LargeIntegers;
}

/** One digit more than every safe integer has. Other texts skip the slow path. */
const mayBeLarge = /\d{16}/;
const none: LargeIntegers = new Map();

/**
 * Parses JSON and records integers beyond 2^53. API servers use int64, and the answer must contain what they
 * sent.
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

/** In JavaScript since 2025, and not yet in the compiler's library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Writes JSON with the recorded integers.
 *
 * @throws Error when a number may stand for two integers
 */
export function stringifyJson(value: unknown, large: LargeIntegers): string {
  if (large.size === 0) return JSON.stringify(value);
  return JSON.stringify(value, (_key, each: unknown) => {
    const sources = typeof each === "number" ? large.get(each) : undefined;
    if (!sources) return each;
    const [source = "", other] = sources;
    if (other === undefined) return rawJSON(source);
    throw new Error(
      `${each} may be ${source} or ${other}: JavaScript numbers cannot represent such large integers, so store them as strings`,
    );
  });
}
