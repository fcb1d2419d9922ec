import { relative } from "node:path";
import { checkPageRules, type PageRule, pageRules, type TextProblem } from "@operator-path/walkthrough";
import type { PageFile } from "./pages.ts";
import { readPage } from "./read-page.ts";

/** Pages that may break a rule, by rule. Remove pages, and add none: a test fails for a page that keeps it. */
export const exemptPages: Readonly<Record<PageRule, readonly string[]>> = {
  captions: [],
  terminals: [],
  length: [],
  exercises: [],
  pictures: [],
};

/**
 * Returns the rules that a page breaks, with the places, also if it is exempt. Throws UserError for a malformed
 * page.
 */
export function brokenRules(file: PageFile): ReadonlyMap<PageRule, readonly TextProblem[]> {
  const problems = checkPageRules(readPage(file));
  const path = relative(process.cwd(), file.path);
  return new Map(
    pageRules
      .map(
        (rule) =>
          [rule, problems.filter((one) => one.rule === rule).map((one) => ({ ...one, file: path }))] as const,
      )
      .filter(([, found]) => found.length > 0),
  );
}

/**
 * Returns the places where pages break a rule. `problems` are those of rules from which the page is not exempt.
 * Drafts have no rules.
 */
export function checkRules(pages: readonly PageFile[]): { problems: TextProblem[]; exempt: TextProblem[] } {
  const problems: TextProblem[] = [];
  const exempt: TextProblem[] = [];
  for (const page of pages) {
    if (!/^[^/]+\/\d+$/.test(page.name)) continue;
    for (const [rule, broken] of brokenRules(page))
      (exemptPages[rule].includes(page.name) ? exempt : problems).push(...broken);
  }
  return { problems, exempt };
}
