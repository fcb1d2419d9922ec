import fc from "fast-check";
import { expect, test } from "vitest";
import { applyWithGit, applyWithPatch } from "../testing/apply-diff.ts";
import { page as pageOf } from "../testing/double-exercise.ts";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { type FileState, readHistory } from "./history.ts";
import { makeDiff } from "./make-diff.ts";
import { replaceBlocks, rewritePages } from "./rewrite-pages.ts";

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
const first = lines("one", "two", "three", "four", "five", "six");
const last = lines("ONE", "two", "three", "four", "five", "SIX");
const fence = (info: string, text: string) => `\n\`a.txt\`\n\n~~~${info}\n${text}~~~\n`;
const files = {
  "1-page.md": pageOf(
    `${fence("text file", first)}\n${fence("text", "three\nfour\n")}\n## Then\n${fence("diff", "-one\n+ONE\n two\n")}`,
  ),
  "2-page.md": pageOf(fence("diff", " four\n five\n-six\n+SIX\n"), "start: page 1\n"),
  "p/a.txt": last,
};

/** Edits the file after the step `begin` of page 1, and returns the new pages, the final file and what is left. */
async function edit(text: string, at = "begin") {
  using folder = temporaryTutorial(files);
  const page = folder.page("1-page.md");
  const { states } = await readHistory(page, { root: folder.folder });
  const line = at === "begin" ? (page.steps[1]?.line ?? 0) - 1 : (page.steps[2]?.line ?? 0) - 1;
  const { replacements, after, byHand } = rewritePages(states, { page, line }, text);
  const pages = Object.fromEntries(
    [...replaceBlocks(replacements)].map(([path, source]) => [path.split("/").at(-1), source]),
  );
  return {
    pages,
    final: after.get(states.at(-1) as FileState),
    byHand: byHand.map(({ path, line: at, message }) => `${path.split("/").at(-1)}:${at}: ${message}`),
  };
}

test("rewrites the block of the step, and merges the change into later blocks and pages", async () => {
  const { pages, final, byHand } = await edit(first.replace("three", "THREE").replace("four", "FOUR"));
  expect(final).toBe(lines("ONE", "two", "THREE", "FOUR", "five", "SIX"));
  expect(byHand).toEqual(["1-page.md:22: this excerpt is not in the file any more: correct it"]);
  expect(pages["1-page.md"]).toContain("```text file\none\ntwo\nTHREE\nFOUR\nfive\nsix\n```\n");
  expect(pages["1-page.md"]).toContain(`\`\`\`diff\n${headers}@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n\`\`\`\n`);
  expect(pages["2-page.md"]).toContain(
    `\`\`\`diff\n${headers}@@ -4,3 +4,3 @@\n FOUR\n five\n-six\n+SIX\n\`\`\`\n`,
  );
  // The new pages, with the corrected excerpt, give the new file.
  const corrected = (pages["1-page.md"] ?? "").replace("three\nfour", "THREE\nFOUR");
  using folder = temporaryTutorial({ ...files, ...pages, "1-page.md": corrected });
  const history = await readHistory(folder.page("1-page.md"), { root: folder.folder });
  expect(history.states.at(-1)?.after).toBe(final);
});

test("rewrites an edit, and leaves the blocks above it", async () => {
  const { pages, final } = await edit(first.replace("one", "uno").replace("four", "quattro"), "then");
  expect(final).toBe(lines("uno", "two", "three", "quattro", "five", "SIX"));
  expect(pages["1-page.md"]).toContain(`\`\`\`text file\n${first}\`\`\`\n`);
  expect(pages["1-page.md"]).toContain(
    `\`\`\`diff\n${headers}@@ -1,5 +1,5 @@\n-one\n+uno\n two\n three\n-four\n+quattro\n five\n\`\`\`\n`,
  );
  expect(Object.keys(pages)).toEqual(["1-page.md", "2-page.md"]);
});

test("lists a block that conflicts, and changes the blocks above it", async () => {
  const conflict = await edit(first.replace("six", "sechs"));
  expect(conflict.final).toBeUndefined();
  expect(conflict.byHand).toEqual([
    "2-page.md:11: the change conflicts with this block: correct it and the blocks of the file below it",
  ]);
  expect(conflict.pages["1-page.md"]).toContain("five\nsechs\n```\n");
});

const headers = "--- a/a.txt\n+++ b/a.txt\n";

test("gives each hunk as much context as it needs, and numbers", () => {
  const make = (before: string, after: string, former?: string) => makeDiff("a.txt", before, after, former);
  const twice = lines("a {", "x", "}", "b {", "x", "}");
  expect(make(twice, lines("a {", "x", "}", "b {", "y", "}"))).toBe(
    `${headers}@@ -4,3 +4,3 @@\n b {\n-x\n+y\n }\n`,
  );
  expect(make(first, last)).toBe(
    `${headers}@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n@@ -5,2 +5,2 @@\n five\n-six\n+SIX\n`,
  );
  const same = lines("{", "x", "}", "{", "x", "}", "end");
  expect(make(same, lines("{", "x", "}", "{", "y", "}", "end"))).toBe(
    `${headers}@@ -3,5 +3,5 @@\n }\n {\n-x\n+y\n }\n end\n`,
  );
  expect(make(first, first)).toBeUndefined();
});

test("keeps the lines of a diff that still applies, and balances its context", () => {
  const former = " two\n-three\n+THREE\n@@\n-four\n+FOUR\n+4\n";
  const after = first.replace("three", "THREE").replace("four", "FOUR\n4");
  const diff = `${headers}@@ -2,4 +2,5 @@\n two\n-three\n+THREE\n-four\n+FOUR\n+4\n five\n`;
  expect(makeDiff("a.txt", first, after, former)).toBe(diff);
  expect(makeDiff("a.txt", first, after, diff)).toBe(diff);
  // Lines above the edit move it.
  expect(makeDiff("a.txt", `zero\n${first}`, `zero\n${after}`, diff)).toBe(
    diff.replace("-2,4 +2,5", "-3,4 +3,5"),
  );
});

test("makes diffs that patch and git apply take without fuzz, for any change", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "", "d e"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, wanted] = [lines(...before), lines(...after)];
      const diff = makeDiff("a.txt", old, wanted);
      if (diff === undefined) return;
      expect(applyWithPatch("a.txt", old, diff)).toBe(wanted);
      expect(applyWithGit("a.txt", old, diff)).toBe(wanted);
    }),
    { numRuns: 30 },
  );
});
