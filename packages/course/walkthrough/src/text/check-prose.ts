import type { Page } from "../page/page.ts";
import { checkCaption, isNumbered } from "./captions.ts";
import { checkClaim } from "./check-claim.ts";
import type { Range } from "./locate-claims.ts";
import { findNumbers, type TextNumber } from "./numbers.ts";
import type { Prose } from "./prose.ts";
import { terminalMentions, terminalsThatFollow } from "./terminals.ts";
import type { Sources, Vocabulary } from "./vocabulary.ts";

/** The sources that one text is compared with. */
export interface Surroundings {
  readonly page: Page;
  /** The claims whose words the text contains. */
  readonly claims: readonly Range[];
  /** The texts below this one. */
  readonly following: readonly Prose[];
  readonly known: Vocabulary;
  readonly sources: Sources;
  /** Path of the claims file, for messages. */
  readonly claimsFile: string;
}

/** A problem at an offset of a text. */
export interface ProseProblem {
  readonly at: number;
  readonly message: string;
}

/** Compares one text with its surroundings: its captions, names, terminals and numbers, then its claims. */
export function checkProse(text: Prose, context: Surroundings): ProseProblem[] {
  const bound = boundNumbers(text);
  return [
    ...checkCaptions(text, context),
    ...checkNames(text, context),
    ...checkTerminals(text, context),
    ...checkNumbers(text, bound, context),
    ...(text.kind === "fence" ? checkFence(text, context) : []),
    ...checkClaims(text, bound, context),
  ];
}

function checkCaptions(text: Prose, { page }: Surroundings): ProseProblem[] {
  return text.links.flatMap((link) => {
    const message = checkCaption(link, page);
    return message === undefined ? [] : [{ at: link.at, message }];
  });
}

/** Checks code spans, except in links, whose targets are compared, and words that look like names. */
function checkNames(text: Prose, context: Surroundings): ProseProblem[] {
  const inLink = (at: number): boolean => text.links.some((link) => at >= link.at && at < link.end);
  const unknown = (at: number, name: string): ProseProblem => ({
    at,
    message: `no command, file or quotation has ${name}: correct it, or claim it in ${context.claimsFile}`,
  });
  const spans = text.spans
    .filter(({ text: span, at }) => !isCovered(at, context) && !inLink(at) && !context.known(span))
    .map(({ text: span, at }) => unknown(at, `\`${span}\``));
  const names = text.names
    .filter(
      ({ text: name, at }) =>
        !isCovered(at, context) && !context.known(name) && !context.known(singular(name)),
    )
    .map(({ text: name, at }) => unknown(at, name));
  return [...spans, ...names];
}

function singular(name: string): string {
  return name.replace(/e?s$/, "");
}

function checkTerminals(text: Prose, context: Surroundings): ProseProblem[] {
  if (text.kind === "picture") return [];
  const mentions = terminalMentions(text).filter(({ at }) => !isCovered(at, context));
  const [first] = mentions;
  if (!first) return [];
  const next = context.following.find(({ words }) => /\w/.test(words.replaceAll(/\[[^\]]*\]/g, "")));
  const end = next?.lineAt(0) ?? Number.POSITIVE_INFINITY;
  const follow = terminalsThatFollow(mentions, context.page, text.lineAt(first.at), end);
  if (!follow) return [];
  const said = mentions.map(({ number }) => number).join(", ");
  const are =
    follow.length === 0 ? "no block follows" : `the blocks that follow are of terminal ${follow.join(", ")}`;
  const message = `the text says terminal ${said}, and ${are}: correct it, or claim the words`;
  return [{ at: first.at, message }];
}

/**
 * Returns the offsets of numbers that other checks compare: terminals, and links that name a page or tutorial
 * by number.
 */
function boundNumbers(text: Prose): Set<number> {
  if (text.kind === "picture") return new Set();
  const inLinks = text.links
    .filter((link) => isNumbered(link.text))
    .map((link) => link.at + 1 + link.text.search(/\d/));
  return new Set([...inLinks, ...terminalMentions(text).map(({ at }) => at)]);
}

function checkNumbers(text: Prose, bound: ReadonlySet<number>, context: Surroundings): ProseProblem[] {
  return findNumbers(text.words)
    .filter(({ at }) => !isCovered(at, context) && !bound.has(at))
    .map((number) => ({
      at: number.at,
      message: `"${number.text}" in "${around(text.text, number)}" has no source: claim it in ${context.claimsFile}`,
    }));
}

/** Reports only the first word that no claim covers. */
function checkFence(text: Prose, context: Surroundings): ProseProblem[] {
  const word = [...text.text.matchAll(/\S*\w\S*/g)].find(({ index }) => !isCovered(index, context));
  if (!word) return [];
  const message = `"${word[0]}" in a fence for reading is not claimed: quote a file, run it, or claim it in ${context.claimsFile}`;
  return [{ at: word.index, message }];
}

function checkClaims(text: Prose, bound: ReadonlySet<number>, context: Surroundings): ProseProblem[] {
  return context.claims.flatMap(({ claim, at, end }) => {
    const inside = (one: { readonly at: number }): boolean => one.at >= at && one.at < end;
    const said = {
      // A claim may exist to say that a terminal is another one.
      numbers: findNumbers(text.words).filter((one) => inside(one) && (!bound.has(one.at) || claim.is)),
      spans: text.spans.filter(inside),
      inFence: text.kind === "fence",
    };
    const { page, sources } = context;
    const wrong = checkClaim(claim, said, { page, line: text.lineAt(at), text: text.text, sources });
    return wrong ? [{ at, message: `"${claim.words}": ${wrong} (${context.claimsFile}:${claim.line})` }] : [];
  });
}

function isCovered(at: number, { claims }: Surroundings): boolean {
  return claims.some((one) => at >= one.at && at < one.end);
}

function around(text: string, { at, text: number }: TextNumber): string {
  const before = text.slice(0, at).split(" ").slice(-4).join(" ");
  const after = text
    .slice(at + number.length)
    .split(" ")
    .slice(0, 4)
    .join(" ");
  return `${before}${number}${after}`.trim();
}
