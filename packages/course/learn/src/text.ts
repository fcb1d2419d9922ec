import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import {
  acceptTexts,
  checkText,
  createSources,
  PageError,
  parsePage,
  type TextProblem,
} from "@operator-path/walkthrough";
import type { PageFile } from "./pages.ts";

export interface CheckTextsOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Accept the texts of the pages first: write their hashes into the claims files. */
  readonly accept?: boolean;
}

/**
 * Compares the text of pages with its sources, and returns every problem. Runs nothing. Skips pages outside
 * of `tutorials`, which are drafts. Throws UserError for a malformed page.
 */
export function checkTexts(
  pages: readonly PageFile[],
  { root, accept = false }: CheckTextsOptions,
): TextProblem[] {
  const sources = createSources(root);
  const inTutorials = pages.filter(
    ({ name, path }) =>
      /^[^/]+(?:\/\d+)?$/.test(name) && relative(root, dirname(path)).startsWith("tutorials"),
  );
  return inTutorials.flatMap(({ path }) => {
    try {
      const page = parsePage(readFileSync(path, "utf8"), relative(process.cwd(), path));
      if (accept) acceptTexts(page);
      return checkText(page, { root, sources });
    } catch (error) {
      throw error instanceof PageError ? new UserError(error.message) : error;
    }
  });
}

/** Formats the problems for a terminal, one per line. */
export function formatTextProblems(problems: readonly TextProblem[]): string {
  return problems.map(({ file, line, message }) => `${file}:${line}  ${message}`).join("\n");
}
