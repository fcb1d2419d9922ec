import { distance as editDistance } from "fastest-levenshtein";

/**
 * The candidate that a misspelt word most probably meant; undefined when none is near: at most a third of the word's
 * letters, case aside, are to be changed.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(word.length / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}
