import { ValuesError } from "./values-error.ts";

const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/**
 * Returns the value that a text stands for after `helm --set`: true, false and null in any case of letters,
 * and whole decimal numbers without a leading zero. Anything else is text, also what does not fit an int64.
 *
 * @throws ValuesError for whole numbers that JSON parsers would round
 */
export function typedValue(text: string): string | number | boolean | null {
  // Unicode's simple case folding, as Go's strings.EqualFold.
  if (/^true$/iu.test(text)) return true;
  if (/^false$/iu.test(text)) return false;
  if (/^null$/iu.test(text)) return null;
  if (text !== "0" && !/^(?:[1-9]|[+-]\d)\d*$/.test(text)) return text;
  // An int64 has fewer digits, and parsing many more would take long.
  if (text.replace(/^[+-]?0*/, "").length > 19) return text;
  const number = BigInt(text.replace(/^\+/, ""));
  if (number < int64.minimum || number > int64.maximum) return text;
  if (!Number.isSafeInteger(Number(number))) {
    throw new ValuesError(`${text} is beyond 2^53 and would be rounded: the chart must take it as text`);
  }
  return Number(number);
}
