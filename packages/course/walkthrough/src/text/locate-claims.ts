import type { Claim } from "./claims.ts";
import type { Prose } from "./prose.ts";

/** A place of the page that says the words of a claim. */
export interface Range {
  readonly claim: Claim;
  readonly prose: Prose;
  readonly at: number;
  readonly end: number;
}

/** Finds the words of each claim. Reports claims whose words the page says too often, or not at all. */
export function locateClaims(
  claims: readonly Claim[],
  prose: readonly Prose[],
): { ranges: Range[]; problems: { line: number; message: string }[] } {
  const ranges: Range[] = [];
  const problems: { line: number; message: string }[] = [];
  for (const claim of claims) {
    const found = prose.flatMap((text) =>
      occurrences(text.text, claim.words).map((at) => ({
        claim,
        prose: text,
        at,
        end: at + claim.words.length,
      })),
    );
    ranges.push(...found);
    if (found.length === claim.times) continue;
    const message =
      found.length === 0
        ? `the page does not say "${claim.words}": correct page or claim, or remove the claim`
        : `the page says "${claim.words}" ${times(found.length)}: add words, or times: ${found.length}`;
    problems.push({ line: claim.line, message });
  }
  return { ranges, problems };
}

/** Finds whole words only: "3 seconds" is not in "13 seconds". */
function occurrences(text: string, words: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const cutsStart = /\w/.test(words[0] ?? "") && /\w/.test(text[at - 1] ?? "");
    const cutsEnd = /\w$/.test(words) && /^(?:\w|\.\d)/.test(text.slice(at + words.length));
    if (!cutsStart && !cutsEnd) found.push(at);
  }
  return found;
}

/** `1 time`, `2 times`. */
export function times(count: number): string {
  return `${count} time${count === 1 ? "" : "s"}`;
}
