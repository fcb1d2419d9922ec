import type { Claim } from "./claims.ts";
import { type ClaimPlace, evaluate, SourceError, type Value } from "./evaluate.ts";
import { numberIn, type TextNumber } from "./numbers.ts";
import type { Located } from "./prose.ts";

/**
 * The parts of a claim's words that sources are compared with: numbers, or without numbers the code spans.
 */
export interface ClaimParts {
  readonly numbers: readonly TextNumber[];
  readonly spans: readonly Located[];
  /** The words are in a fence for reading. Then it is enough that the sources match something. */
  readonly inFence: boolean;
}

/** Compares a claim's words with the values of its sources. Returns what is wrong, or undefined. */
export function checkClaim(
  { is }: Claim,
  { numbers, spans, inFence }: ClaimParts,
  here: ClaimPlace,
): string | undefined {
  if (!is) return undefined;
  let values: Value[];
  try {
    values = is.flatMap((source) => evaluate(source, here));
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
  if (inFence && values.length === 0) return undefined;
  if (numbers.length > 0) {
    if (values.length !== numbers.length) return count("number", numbers.length, values.length);
    const wrong = numbers.findIndex((number, i) => !isSame(number, values[i]));
    return wrong === -1
      ? undefined
      : `the page says ${numbers[wrong]?.text}, but its source gives ${values[wrong]?.text}`;
  }
  if (spans.length === 0) return "these words have no number and no code span: there is nothing to compare";
  if (values.length === 0) return undefined;
  if (values.length !== spans.length) return count("code span", spans.length, values.length);
  const wrong = spans.findIndex(({ text }, i) => text !== values[i]?.text);
  return wrong === -1
    ? undefined
    : `the page says \`${spans[wrong]?.text}\`, but its source gives ${values[wrong]?.text}`;
}

function count(what: string, said: number, given: number): string {
  return `the words have ${said} ${what}${said === 1 ? "" : "s"}, but the sources give ${given} value${given === 1 ? "" : "s"}`;
}

/** "Some forty" allows a fifth more or less. Versions are compared as text, because 1.10 is not 1.1. */
function isSame({ text, value, unitMs, approximate }: TextNumber, given: Value | undefined): boolean {
  if (!given) return false;
  if (/\d\.\d/.test(text) && !approximate && given.ms === undefined) return text === given.text;
  const inMs = given.ms !== undefined && unitMs !== undefined;
  const wanted = inMs ? (given.ms ?? 0) : numberIn(given.text);
  const said = inMs ? value * unitMs : value;
  if (wanted === undefined || Number.isNaN(wanted)) return false;
  const off = Math.abs(said - wanted);
  // The arithmetic of fractions is inexact in the last bit.
  return off <= Math.abs(wanted) * (approximate ? 0.2 : 1e-9);
}
