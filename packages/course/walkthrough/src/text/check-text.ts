import { splitFrontMatter } from "../page/front-matter.ts";
import type { Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";
import { compareAccepted } from "./accepted.ts";
import { missingCaptions } from "./captions.ts";
import { checkProse } from "./check-prose.ts";
import { type Claims, claimsFileOf, readClaims } from "./claims.ts";
import { locateClaims } from "./locate-claims.ts";
import { wrongRequirements } from "./programs.ts";
import { findProse } from "./prose.ts";
import { misnumbered } from "./structures.ts";
import { createSources, type Sources, vocabularyOf } from "./vocabulary.ts";

/** A statement of a page without a source, or an invalid claim. */
export interface TextProblem {
  /** The page, or its claims file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** No source contradicts the text. It only differs from the accepted one. */
  readonly unaccepted?: true;
}

export interface CheckTextOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** From `createSources`, so that several pages read common files once. Default: new ones. */
  readonly sources?: Sources;
}

/**
 * Compares a page's prose, tables, captions, hints and `text` fences with their sources
 * (docs/tutorial-format.md, "Text"). Reads files, and runs nothing. Returns the problems of the page in its
 * order, then those of the claims file, then the texts that differ from the accepted ones.
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
  const located = locateClaims(claims.claims, prose);
  const known = vocabularyOf(page, sources);
  const inText = prose.flatMap((text, i) => {
    const own = located.ranges.filter((range) => range.prose === text);
    const following = prose.slice(i + 1).filter(({ kind }) => kind !== "comment" && kind !== "whole");
    return checkProse(text, { page, claims: own, following, known, sources, claimsFile }).map(
      ({ at, message }) => ({
        file: page.path,
        line: text.lineAt(at),
        message,
      }),
    );
  });
  const inLists = misnumbered(page).map(({ line, number, wanted }) => ({
    file: page.path,
    line,
    message: `item ${wanted} of the list has the number ${number}: count from 1`,
  }));
  const inCaptions = missingCaptions(page).map((problem) => ({ file: page.path, ...problem }));
  const inFrontMatter = wrongFrontMatter(page, sources).map((problem) => ({ file: page.path, ...problem }));
  const unaccepted = compareAccepted(page, prose, claims.texts).map((problem) => ({
    file: page.path,
    ...problem,
    unaccepted: true as const,
  }));
  return [
    ...inFrontMatter,
    ...inText,
    ...inCaptions,
    ...inLists,
    ...located.problems.map((problem) => ({ file: claimsFile, ...problem })),
    ...unaccepted,
  ];
}

/**
 * Checks that `requires` lists the programs that the commands run, and that the title equals the page's
 * heading.
 */
function wrongFrontMatter(
  page: Page,
  sources: Sources,
): { readonly line: number; readonly message: string }[] {
  const lines = page.source.split("\n");
  const lineOf = (field: string): number => lines.findIndex((line) => line.startsWith(`${field}:`)) + 1;
  const { title } = page.frontMatter;
  const heading = /^\s*# (.*)/.exec(splitFrontMatter(page.source, page.path).body)?.[1];
  return [
    ...(heading === undefined || heading === title
      ? []
      : [{ line: lineOf("title"), message: `the title is "${title}", and the page's heading "${heading}"` }]),
    ...wrongRequirements(page, sources).map((message) => ({ line: lineOf("requires") || 1, message })),
  ];
}
