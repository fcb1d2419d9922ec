import { pageRules } from "@operator-path/walkthrough";
import { expect, test } from "vitest";
import { brokenRules, checkRules, exemptPages } from "./page-rules.ts";
import { listPages } from "./pages.ts";
import { repositoryRoot } from "./repository.ts";
import { formatTextProblems } from "./text.ts";

const pages = await listPages(repositoryRoot);

test("no page breaks a rule from which it is not exempt", () => {
  expect(formatTextProblems(checkRules(pages).problems)).toBe("");
});

test.each(pageRules)("only pages that break the rule %s are exempt from it", (rule) => {
  const broken = pages.filter((page) => brokenRules(page).has(rule)).map(({ name }) => name);
  expect(exemptPages[rule].filter((name) => !broken.includes(name))).toEqual([]);
});
