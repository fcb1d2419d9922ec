import { expect, test } from "vitest";
import { exercise, page as pageOf } from "../testing/double-exercise.ts";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { checkPageRules, type PageRule } from "./page-rules.ts";

/** Returns the problems of a page's rule, as `line: message`. */
function problemsOf(rule: PageRule, body: string, next?: string): string[] {
  const later: Record<string, string> =
    next === undefined ? {} : { "2-page.md": pageOf(next, "start: page 1\n") };
  using folder = temporaryTutorial({ "1-page.md": pageOf(body), ...later });
  return checkPageRules(folder.page("1-page.md"))
    .filter((problem) => problem.rule === rule)
    .map(({ line, message }) => `${line}: ${message}`);
}

const write = (caption: string, text = "one\n", word = "file") =>
  `\n${caption}\n\n~~~ts ${word}\n${text}~~~\n`;
const edit = "\n`a.ts`\n\n~~~diff\n-one\n+two\n~~~\n";

test("a caption may link to the final file, and must be code before a later change", () => {
  expect(problemsOf("captions", write("[a.ts](p/a.ts)"))).toEqual([]);
  expect(problemsOf("captions", write("`a.ts`") + edit)).toEqual([]);
  const wrong =
    "10: the caption links to the final a.ts, which a later block changes: write `a.ts` in code, without the link";
  expect(problemsOf("captions", write("[a.ts](p/a.ts)") + edit)).toEqual([wrong]);
  expect(problemsOf("captions", write("[a.ts](p/a.ts)"), edit)).toEqual([wrong]);
  expect(problemsOf("captions", write("[a.ts](p/a.ts)"), edit.replace("a.ts", "b.ts"))).toEqual([]);
});

test("patch must be able to apply a diff", () => {
  const diff = (text: string) =>
    problemsOf("diffs", `${write("`src/a.ts`")}\n\`src/a.ts\`\n\n~~~diff\n${text}~~~\n`);
  const good = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,2 @@\n one\n+two\n";
  const wrong = [
    "16: `patch` cannot apply this diff of src/a.ts: `pnpm learn update-pages` writes its headers",
  ];
  expect(diff(good)).toEqual([]);
  expect(diff(" one\n+two\n")).toEqual(wrong);
  expect(diff(good.replace("+1,2", "+1,3"))).toEqual(wrong);
  expect(diff(good.replace("b/src", "b"))).toEqual(wrong);
  expect(diff(`${good}@@\n-three\n`)).toEqual(wrong);
});

test("the caption of an exercise must be code", () => {
  expect(problemsOf("captions", exercise())).toEqual([
    "12: the caption links to the final double.ts, which is the solution: write `double.ts` in code, without the link",
  ]);
  expect(problemsOf("captions", exercise().replace("[double.ts](p/double.ts)", "`double.ts`"))).toEqual([]);
});

test("a block in another terminal needs a text above it that names the terminal", () => {
  const block = (info = "") => `\n~~~console${info}\n$ true\n~~~\n`;
  const two = block(" terminal=two");
  expect(problemsOf("terminals", block() + block())).toEqual([]);
  expect(
    problemsOf("terminals", `${block()}\nIn terminal 2:\n${two}${two}\nBack in terminal 1:\n${block()}`),
  ).toEqual([]);
  // Clean up of the page is in terminal 1.
  expect(problemsOf("terminals", `${block()}\nThen:\n${two}`)).toEqual([
    '14: this block is in another terminal than the one before: write "In terminal 2:" above it',
    '20: this block is in another terminal than the one before: write "In terminal 1:" above it',
  ]);
});

test("a block that a learner copies has at most 30 lines, unless the file is given", () => {
  const lines = (count: number) => "line\n".repeat(count);
  const diff = (count: number) => `\n\`a.ts\`\n\n~~~diff\n one\n${"+line\n".repeat(count)}~~~\n`;
  expect(problemsOf("length", write("`a.ts`", lines(30)) + diff(30))).toEqual([]);
  expect(problemsOf("length", write("`a.ts`", lines(31)) + diff(31))).toEqual([
    expect.stringMatching(/^10: 31 lines to copy: split the block/),
    expect.stringMatching(/^46: 31 lines to copy: split the block/),
  ]);
  expect(problemsOf("length", write("`a.ts`", lines(31), "file given"))).toEqual([]);
});

test("a page has three exercises and a picture", () => {
  expect(problemsOf("exercises", exercise() + exercise())).toEqual([
    "1: the page has 2 exercises: at least 3",
  ]);
  expect(problemsOf("exercises", exercise() + exercise() + exercise())).toEqual([]);
  expect(problemsOf("pictures", "Text.")).toEqual(["1: the page has no picture: draw one (`mermaid`)"]);
  expect(problemsOf("pictures", "~~~mermaid\nflowchart LR\n  a --> b\n~~~\n")).toEqual([]);
  expect(problemsOf("pictures", "![A loop](loop.png)")).toEqual([]);
});

test("a command has no `!` in double quotes that an interactive shell expands", () => {
  const said = (command: string) => problemsOf("history", `\n~~~console\n$ ${command}\n~~~\n`);
  const wrong = (quoted: string) => [
    `9: an interactive shell takes the \`!\` in ${quoted} for an earlier command: write it in single quotes`,
  ];
  expect(said('kubectl get pods -l "app!=payment" && echo "a ! b"')).toEqual([]);
  expect(said("kubectl get pods -l '!app'")).toEqual([]);
  expect(said('kubectl apply -f - <<END\nrule: "!has(self.a)"\nEND')).toEqual([]);
  expect(said('kubectl get pods -l "!app"')).toEqual(wrong('"!app"'));
  expect(said('echo $(echo "it is $(date)!")')).toEqual(wrong('"it is $(date)!"'));
});
