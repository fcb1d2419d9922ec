import { expect, test } from "vitest";
import { checkRules } from "./page-rules.ts";
import { listPages } from "./pages.ts";
import { repositoryRoot } from "./repository.ts";
import { formatTextProblems } from "./text.ts";

test("no page breaks a rule", async () => {
  expect(formatTextProblems(checkRules(await listPages(repositoryRoot)))).toBe("");
});
