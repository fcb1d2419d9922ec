import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import {
  checkPageRules,
  PageError,
  type PageRule,
  pageRules,
  parsePage,
  type TextProblem,
} from "@operator-path/walkthrough";
import type { PageFile } from "./pages.ts";

/** Pages that may break a rule, by rule. Remove pages, and add none: a test fails for a page that keeps it. */
export const exemptPages: Readonly<Record<PageRule, readonly string[]>> = {
  captions: [
    "02-memcached-operator/1",
    "02-memcached-operator/2",
    "04-hybrid-helm-operator/1",
    "04-hybrid-helm-operator/2",
  ],
  terminals: [
    "02-memcached-operator/1",
    "02-memcached-operator/2",
    "04-hybrid-helm-operator/1",
    "04-hybrid-helm-operator/2",
  ],
  length: [
    "02-memcached-operator/2",
    "04-hybrid-helm-operator/2",
    "04-hybrid-helm-operator/3",
  ],
  exercises: [
    "02-memcached-operator/1",
    "02-memcached-operator/2",
    "04-hybrid-helm-operator/1",
    "04-hybrid-helm-operator/2",
    "04-hybrid-helm-operator/3",
  ],
  pictures: [
    "02-memcached-operator/1",
    "02-memcached-operator/2",
    "04-hybrid-helm-operator/1",
    "04-hybrid-helm-operator/2",
    "04-hybrid-helm-operator/3",
  ],
};

/**
 * Returns the rules that a page breaks, with the places, also if it is exempt. Throws UserError for a malformed
 * page.
 */
export function brokenRules({ path }: PageFile): ReadonlyMap<PageRule, readonly TextProblem[]> {
  try {
    const file = relative(process.cwd(), path);
    const problems = checkPageRules(parsePage(readFileSync(path, "utf8"), path));
    return new Map(
      pageRules
        .map(
          (rule) =>
            [rule, problems.filter((one) => one.rule === rule).map((one) => ({ ...one, file }))] as const,
        )
        .filter(([, found]) => found.length > 0),
    );
  } catch (error) {
    throw error instanceof PageError ? new UserError(error.message) : error;
  }
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
