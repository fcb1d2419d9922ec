import type { Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";
import { checkCaption, isNumbered } from "./captions.ts";
import { checkClaim } from "./check-claim.ts";
import { type Claim, type Claims, claimsFileOf, readClaims } from "./claims.ts";
import { compareNames } from "./names.ts";
import { findNumbers, type SaidNumber } from "./numbers.ts";
import { findProse, type Prose } from "./prose.ts";
import { terminalMentions, terminalsThatFollow } from "./terminals.ts";
import { createSources, type Sources, vocabularyOf } from "./vocabulary.ts";

/** Something that a page says and nothing bears out, or a claim that is not right. */
export interface TextProblem {
  /** The page, or its claims file. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** What is wrong, and the way out. */
  readonly message: string;
}

export interface CheckTextOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Of `createSources`: what pages have in common is read once. Default: it is read for this call. */
  readonly sources?: Sources;
}

/**
 * Compares what a page says in prose, tables, captions, hints and `text` fences with what it is about (docs/tutorial-format.md,
 * "Text"). Reads files, runs nothing. Returns every problem in the order of the page; those of the claims file come last.
 */
export function checkText(
  page: Page,
  { root, sources = createSources(root) }: CheckTextOptions,
): TextProblem[] {
  const claimsFile = claimsFileOf(page);
  let claims: Claims;
  try {
    claims = readClaims(claimsFile);
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    return [{ file: error.path, line: error.line, message: error.message.replace(/^.*?:\d+: /, "") }];
  }
  const prose = findProse(page);
  const located = locateClaims(claims.claims, prose, claimsFile);
  const known = vocabularyOf(page, sources);
  const problems: TextProblem[] = [];
  for (const [i, text] of prose.entries()) {
    const say = (at: number, message: string): void => {
      problems.push({ file: page.path, line: text.lineAt(at), message });
    };
    const covered = located.ranges.filter(({ prose: own }) => own === text);
    const isCovered = (at: number): boolean => covered.some((one) => at >= one.at && at < one.end);

    for (const link of text.links) {
      const wrong = checkCaption(link, page);
      if (wrong) say(link.at, wrong);
    }
    for (const { text: span, at } of text.spans) {
      if (isCovered(at) || text.links.some((link) => at >= link.at && at < link.end)) continue;
      if (!known(span)) {
        say(
          at,
          `nothing that is run, written or quoted has \`${span}\`: correct it, or claim it in ${claimsFile}`,
        );
      }
    }
    for (const { text: name, at } of text.names) {
      if (isCovered(at) || known(name) || known(name.replace(/(?:e?s)$/, ""))) continue;
      say(at, `nothing that is run, written or quoted has ${name}: correct it, or claim it in ${claimsFile}`);
    }
    const bound = boundByThemselves(text, page, prose.slice(i + 1), isCovered, say);
    for (const number of findNumbers(text.words)) {
      if (isCovered(number.at) || bound.has(number.at)) continue;
      say(
        number.at,
        `nothing says why it is "${number.text}" in "${around(text.text, number)}": claim it in ${claimsFile}`,
      );
    }
    if (text.kind === "fence") {
      const word = [...text.text.matchAll(/\S*\w\S*/g)].find(({ index }) => !isCovered(index));
      if (word)
        say(
          word.index,
          `"${word[0]}" in a fence for reading is not claimed: quote a file, run it, or claim it in ${claimsFile}`,
        );
    }
    for (const range of covered) {
      const inside = ({ at }: { readonly at: number }): boolean => at >= range.at && at < range.end;
      const said = {
        numbers: findNumbers(text.words).filter((one) => inside(one) && !bound.has(one.at)),
        spans: text.spans.filter(inside),
        inFence: text.kind === "fence",
      };
      const wrong = checkClaim(range.claim, said, page, text.lineAt(range.at));
      if (wrong) say(range.at, `"${range.claim.words}": ${wrong} (${claimsFile}:${range.claim.line})`);
    }
  }
  for (const { name, said, listed, at } of compareNames(prose, claims.names)) {
    const message = `the page says \`${name}\` ${times(said)}, its list of names ${times(listed)}: undo the change, or accept it (pnpm verify --text --accept PAGE)`;
    problems.push(
      at
        ? { file: page.path, line: at.prose.lineAt(at.offset), message }
        : { file: claimsFile, line: 1, message },
    );
  }
  return [...problems, ...located.problems];
}

interface Range {
  readonly claim: Claim;
  readonly prose: Prose;
  readonly at: number;
  readonly end: number;
}

function locateClaims(
  claims: readonly Claim[],
  prose: readonly Prose[],
  file: string,
): { ranges: Range[]; problems: TextProblem[] } {
  const ranges: Range[] = [];
  const problems: TextProblem[] = [];
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
    problems.push({ file, line: claim.line, message });
  }
  return { ranges, problems };
}

/** Whole words only, so that "3 seconds" is not found in "13 seconds". */
function occurrences(text: string, words: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const cutsStart = /\w/.test(words[0] ?? "") && /\w/.test(text[at - 1] ?? "");
    const cutsEnd = /\w$/.test(words) && /^(?:\w|\.\d)/.test(text.slice(at + words.length));
    if (!cutsStart && !cutsEnd) found.push(at);
  }
  return found;
}

/** Offsets of numbers that need no claim: of terminals, and in links that lead to what they name. Says what is wrong with terminals. */
function boundByThemselves(
  text: Prose,
  page: Page,
  following: readonly Prose[],
  isCovered: (at: number) => boolean,
  say: (at: number, message: string) => void,
): Set<number> {
  const mentions = terminalMentions(text).filter(({ at }) => !isCovered(at));
  const bound = new Set(mentions.map(({ at }) => at));
  for (const link of text.links.filter((one) => isNumbered(one.text))) {
    bound.add(link.at + 1 + link.text.search(/\d/));
  }
  const [first] = mentions;
  if (!first) return bound;
  const next = following.find(({ words }) => /\w/.test(words.replaceAll(/\[[^\]]*\]/g, "")));
  const follow = terminalsThatFollow(
    mentions,
    page,
    text.lineAt(first.at),
    next?.lineAt(0) ?? Number.POSITIVE_INFINITY,
  );
  if (follow) {
    const said = mentions.map(({ number }) => number).join(", ");
    const are =
      follow.length === 0
        ? "no block follows"
        : `the blocks that follow are of terminal ${follow.join(", ")}`;
    say(first.at, `the text says terminal ${said}, and ${are}: correct it, or claim the words`);
  }
  return bound;
}

function times(count: number): string {
  return `${count} time${count === 1 ? "" : "s"}`;
}

function around(text: string, { at, text: number }: SaidNumber): string {
  const before = text.slice(0, at).split(" ").slice(-4).join(" ");
  const after = text
    .slice(at + number.length)
    .split(" ")
    .slice(0, 4)
    .join(" ");
  return `${before}${number}${after}`.trim();
}
