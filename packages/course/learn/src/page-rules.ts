import { relative } from "node:path";
import { checkPageRules, type TextProblem } from "@operator-path/walkthrough";
import type { PageFile } from "./pages.ts";
import { readPage } from "./read-page.ts";

/** Returns the places where pages break a rule. Drafts have no rules. Throws UserError for a malformed page. */
export function checkRules(pages: readonly PageFile[]): TextProblem[] {
  return pages
    .filter(({ name }) => /^[^/]+\/\d+$/.test(name))
    .flatMap((page) => {
      const file = relative(process.cwd(), page.path);
      return checkPageRules(readPage(page)).map((problem) => ({ ...problem, file }));
    });
}
