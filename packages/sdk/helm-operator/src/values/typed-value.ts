import { ValuesError } from "./values-error.ts";

const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/**
 * The value that a text stands for after `helm --set`: true, false, null in any case of letters, whole decimal numbers
 * without a leading zero; anything else, also what no int64 holds, is the text.
 *
 * @throws ValuesError for whole numbers that JSON's readers would round
 */
export function typedValue(text: string): string | number | boolean | null {
  // Unicode's simple case folding, as Go's strings.EqualFold.
  if (/^true$/iu.test(text)) return true;
  if (/^false$/iu.test(text)) return false;
  if (/^null$/iu.test(text)) return null;
  if (text !== "0" && !/^(?:[1-9]|[+-]\d)\d*$/.test(text)) return text;
  // More digits than an int64 has, and many more would take long to read.
  if (text.replace(/^[+-]?0*/, "").length > 19) return text;
  const number = BigInt(text.replace(/^\+/, ""));
  if (number < int64.minimum || number > int64.maximum) return text;
  if (!Number.isSafeInteger(Number(number))) {
    throw new ValuesError(`${text} is beyond 2^53, and would be rounded: the chart has to take it as text`);
  }
  return Number(number);
}
