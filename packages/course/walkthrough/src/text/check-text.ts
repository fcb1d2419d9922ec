import type { Page } from "../page/page.ts";
import { PageError } from "../page/page-error.ts";
import { checkProse } from "./check-prose.ts";
import { type Claims, claimsFileOf, readClaims } from "./claims.ts";
import { locateClaims, times } from "./locate-claims.ts";
import { compareNames } from "./names.ts";
import { findProse } from "./prose.ts";
import { misnumbered } from "./structures.ts";
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
  const located = locateClaims(claims.claims, prose);
  const known = vocabularyOf(page, sources);
  const inText = prose.flatMap((text, i) => {
    const own = located.ranges.filter((range) => range.prose === text);
    const following = prose.slice(i + 1);
    return checkProse(text, { page, claims: own, following, known, claimsFile }).map(({ at, message }) => ({
      file: page.path,
      line: text.lineAt(at),
      message,
    }));
  });
  const inLists = misnumbered(page).map(({ line, number, wanted }) => ({
    file: page.path,
    line,
    message: `item ${wanted} of the list has the number ${number}: count from 1`,
  }));
  const inNames = compareNames(prose, claims.names).map(({ name, said, listed, at }) => ({
    ...(at ? { file: page.path, line: at.prose.lineAt(at.offset) } : { file: claimsFile, line: 1 }),
    message: `the page says \`${name}\` ${times(said)}, its list of names ${times(listed)}: undo the change, or accept it (pnpm verify --text --accept PAGE)`,
  }));
  return [
    ...inText,
    ...inLists,
    ...inNames,
    ...located.problems.map((problem) => ({ file: claimsFile, ...problem })),
  ];
}
