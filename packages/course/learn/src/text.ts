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
 * Compares the text of pages with what it is about; runs nothing. A page outside of `tutorials` is a draft, and is left out.
 * Returns every problem. Throws UserError for a page that is not well formed.
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

/** The problems as a terminal shows them, one a line. */
export function formatTextProblems(problems: readonly TextProblem[]): string {
  return problems.map(({ file, line, message }) => `${file}:${line}  ${message}`).join("\n");
}
