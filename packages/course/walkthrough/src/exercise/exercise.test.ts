import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { dropEachStep } from "../mutate/mutate-page.ts";
import { parsePage } from "../page/parse.ts";
import { runPage } from "../run/run-page.ts";
import { withStage } from "../run/stage.ts";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import type { ExerciseGuide } from "./guide.ts";
import { openExercise } from "./open.ts";

const sizeTest = `import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { double } from "./double.ts";
test("twice (two) is four", () => assert.equal(double(2), 4));
describe("of nothing", () => {
  test("is nothing", () => assert.equal(double(0), 0));
  test.skip("later", () => {});
});
describe("after", () => {
  before(() => { throw new Error("no cluster"); });
  test("a hook", () => {});
});
test("of nowhere", async () => { await import("./nowhere.ts"); });
test("starter", () => {});
`;
const starter = `export function double(_n: number): number {\n  throw new Error("your turn");\n}\n`;
const solved = `export function double(n: number): number {\n  return 2 * n;\n}\n`;

const exercise = (o: { test?: string; block?: string; below?: string; word?: string } = {}): string => `
The test [\`${o.test ?? "twice (two) is four"}\`](p/double.test.ts) fails. Make it pass.

[double.ts](p/double.ts)

~~~ts ${o.word ?? "exercise"}
${o.block ?? starter}~~~

<details><summary>Hint</summary>

Twice is *plus itself*.

</details>
${o.below ?? ""}
~~~console
$ node -p 'import("./double.ts").then(({ double }) => console.log(double(21)))' | head -1
[..]
$ grep -c 2 double.ts; true
1
~~~
`;
const page = (body: string, front = ""): string =>
  `---\ntitle: Double\nproject: p\n${front}---\n\n## Begin\n${body}\n## Clean up\n\n~~~console\n$ true\n~~~\n`;
const committed = {
  "p/double.ts": solved,
  "p/double.test.ts": sizeTest,
  "p/package.json": '{"type":"module"}\n',
};
const manifest = `\n[package.json](p/package.json)\n\n~~~json file\n{"type":"module"}\n~~~\n`;
const tutorial = (body: string, files: Record<string, string> = {}) =>
  temporaryTutorial({ ...committed, ...files, "1-page.md": page(`${manifest}${body}`) });

test("the starter fails, the solution of the committed project passes, and closure counts it", async () => {
  using folder = tutorial(exercise());
  const report = await folder.run("1-page.md");
  expect(report.difference).toBeUndefined();
  expect(report).toMatchObject({ passed: true, leaks: [] });
  expect(folder.left()).toEqual([]);
});

test("a starter may be a slice of what the page has written, and name several tests, some in a describe", async () => {
  const written = `\n[double.ts](p/double.ts)\n\n~~~ts file\n${starter}~~~\n`;
  const body = exercise({
    test: "twice (two) is four`](p/double.test.ts) and [`of nothing > is nothing",
    block: '  throw new Error("your turn");\n',
  });
  using folder = tutorial(written + body);
  const report = await folder.run("1-page.md");
  expect(report.difference).toBeUndefined();
  expect(report.passed).toBe(true);
});

const fold = (block: string): string => `
<details><summary>Solution</summary>

[double.ts](p/double.ts)

${block}

</details>
`;

const edit =
  '~~~diff\n-export function double(_n: number): number {\n-  throw new Error("your turn");\n+export function double(n: number): number {\n';

test("a Solution fold is what is applied, so that a later edit fits, in the run, a sequel and a copied stage", async () => {
  const below = fold(`${edit}+  return n + n + 22 - 22;\n~~~`);
  const later = `\n[double.ts](p/double.ts)\n\n~~~diff\n-  return n + n + 22 - 22;\n+  return 2 * n;\n~~~\n`;
  const second = page(
    `\n~~~console\n$ ls\ndouble.test.ts  double.ts  package.json\n$ grep -c 22 double.ts\n1\n~~~\n${later}`,
    "start: page 1\n",
  );
  using folder = tutorial(exercise({ below }), { "2-page.md": second });
  for (const name of ["1-page.md", "2-page.md"]) {
    const report = await folder.run(name);
    expect(report.difference).toBeUndefined();
    expect(report.passed).toBe(true);
  }
  const two = folder.page("2-page.md");
  const files = await withStage(two, { root: folder.folder, until: "begin" }, async (project) =>
    readFileSync(join(project, "double.ts"), "utf8"),
  );
  expect(files).toBe(solved);
});

test("a Solution fold may quote the committed file, and is held to it", async () => {
  using right = tutorial(exercise({ below: fold("~~~ts\n  return 2 * n;\n~~~") }));
  expect((await right.run("1-page.md")).difference).toBeUndefined();
  using wrong = tutorial(exercise({ below: fold("~~~ts\n  return 3 * n;\n~~~") }));
  expect((await wrong.run("1-page.md")).difference?.message).toBe("p/double.ts does not have this line here");
});

test.each<[string, string, Record<string, string>, string, RegExp]>([
  [
    "a test that passes",
    exercise({ test: "starter" }),
    {},
    "",
    /^the exercise is none: .* the test "starter" of p\/double\.test\.ts passes$/,
  ],
  [
    "a test that is not there",
    exercise({ test: "thrice" }),
    {},
    "there is no such test",
    /"thrice" of p\/double\.test\.ts does not fail by itself/,
  ],
  [
    "a skipped test",
    exercise({ test: "of nothing > later" }),
    {},
    "it was not run",
    /does not fail by itself/,
  ],
  [
    "a hook that fails",
    exercise({ test: "after > a hook" }),
    {},
    "it was not run: Error: no cluster",
    /does not fail by itself/,
  ],
  [
    "a test that loads nothing",
    exercise({ test: "of nowhere" }),
    {},
    "something cannot be loaded: Error: Cannot find module",
    /does not fail by itself/,
  ],
  [
    "a starter that is no TypeScript",
    exercise({ block: "export function (\n" }),
    {},
    "the file cannot be run: SyntaxError",
    /does not fail by itself/,
  ],
  [
    "a starter without the export",
    exercise({ block: "export {};\n" }),
    {},
    "does not provide an export named 'double'",
    /does not fail by itself/,
  ],
  [
    "a solution that is wrong",
    exercise(),
    { "p/double.ts": solved.replace("2 *", "22 *") },
    "44 !== 4",
    /^with the solution the test .* does not pass$/,
  ],
  [
    "a solution that is the starter",
    exercise(),
    { "p/double.ts": starter },
    "",
    /^the exercise has nothing to solve: p\/double\.ts is already/,
  ],
  [
    "a starter that the folder does not have",
    `\n[double.ts](p/double.ts)\n\n~~~ts file\n${starter}~~~\n${exercise({ block: "  return 0;\n" })}`,
    {},
    "return 0",
    /p\/double\.ts does not have this line here/,
  ],
])("%s is refused, with its place", async (_, body, files, said, message) => {
  using folder = tutorial(body, files);
  const report = await folder.run("1-page.md");
  expect(report.difference?.message).toMatch(message);
  expect(report.difference?.diff.map(({ text }) => text).join("\n")).toContain(said);
  expect(folder.line("1-page.md", report.difference?.line)).toMatch(/^(```ts exercise| {2}return 0;)$/);
  expect(folder.left()).toEqual([]);
});

test("a test or a solution that is nowhere is told before anything runs", async () => {
  using folder = tutorial(exercise());
  folder.remove("p/double.ts");
  expect((await folder.run("1-page.md")).difference?.message).toMatch(
    /^the exercise has no solution: put p\/double\.ts into the committed project, or/,
  );
  using other = tutorial(exercise());
  other.remove("p/double.test.ts");
  expect((await other.run("1-page.md")).difference?.message).toMatch(
    /^there is no test file p\/double\.test\.ts: put it into/,
  );
});

const forVitest = {
  "p/double.test.ts": sizeTest.replace(
    /import \{ before.*\n/,
    'import { beforeAll as before, describe, test } from "vitest";\n',
  ),
};
const vitest = dirname(createRequire(import.meta.url).resolve("vitest/package.json"));
const install = `
~~~console
$ mkdir -p node_modules/.bin && ln -s ${vitest} node_modules/vitest && ln -s ${vitest}/vitest.mjs node_modules/.bin/vitest
~~~
`;

test("a test for vitest is run by the vitest of the project, which must be installed", async () => {
  using without = tutorial(exercise(), forVitest);
  const { difference } = await without.run("1-page.md");
  expect(difference?.message).toMatch(/cannot be run without vitest: the page has to install/);
  using folder = tutorial(install + exercise({ test: "of nothing > is nothing" }), forVitest);
  const report = await folder.run("1-page.md");
  expect(report.difference).toBeUndefined();
});

test.each([
  ["of nothing > later", {}, /^it was not run/],
  ["after > a hook", {}, /Error: no cluster/],
  ["of nowhere", {}, /something cannot be loaded: Error: Cannot find module/],
  ["thrice", {}, /there are: twice \(two\) is four, of nothing > is nothing/],
  ["is nothing", { block: "export function (\n" }, /^the file cannot be run: Transform failed/],
])("what vitest says of %s is told", async (name, o, said) => {
  using folder = tutorial(install + exercise({ test: name, ...o }), forVitest);
  const { difference } = await folder.run("1-page.md");
  expect(difference?.diff.map(({ text }) => text).join("\n")).toMatch(said);
});

test("a step without its exercise is missed", async () => {
  using folder = tutorial(exercise({ below: fold(`${edit}+  return 2 * n;\n~~~`) }));
  const mutations = dropEachStep(folder.page("1-page.md"));
  expect(mutations.map(({ name }) => name)).toEqual(['without the step "begin"']);
  const [begin] = mutations;
  if (!begin) throw new Error("no mutation");
  const report = await runPage(begin.page, { root: folder.folder, limits: { repeat: 500 } });
  expect(report.passed).toBe(false);
});

test.each([
  [
    "no test",
    exercise().replace(/The test .*\n/, "Your turn.\n"),
    /^page\.md:\d+: an exercise names its failing test in the paragraph above the link/,
  ],
  ["a test without a name", exercise({ test: "double.test.ts" }), /an exercise names its failing test/],
  ["a value", exercise({ word: "exercise=1" }), /"exercise" takes no value/],
  [
    "something to run in its Solution",
    exercise({ below: fold("~~~console\n$ true\n~~~") }),
    /a Solution holds edits/,
  ],
  [
    "no link",
    exercise().replace("[double.ts](p/double.ts)\n", "double.ts\n"),
    /"exercise" needs a line above the fence that is only a link/,
  ],
])("an exercise with %s is refused", (_, body, message) => {
  expect(() => parsePage(page(body).replaceAll("~~~", "```"), "page.md")).toThrow(message);
});

test("hints belong to the exercise above them, with their Markdown", () => {
  const markdown = page(
    exercise({ below: "\n<details><summary>Another hint</summary>\n`n + n`\n</details>\n" }),
  ).replaceAll("~~~", "```");
  const [block] = parsePage(markdown, "page.md").steps[0]?.blocks ?? [];
  expect(block).toMatchObject({
    kind: "exercise",
    hints: ["Twice is *plus itself*.", "`n + n`"],
    solution: [],
  });
});

const learning = (answers: ("check" | "solution" | "stop")[], texts: string[] = []) => {
  const seen: unknown[] = [];
  const guide: ExerciseGuide = {
    async ask(task, results) {
      seen.push(results.map(({ name, status }) => [name, status]));
      const text = texts.shift();
      if (text !== undefined) writeFileSync(task.path, text);
      return answers.shift() ?? "stop";
    },
    async ended(task, outcome) {
      seen.push([outcome, readFileSync(task.path, "utf8")]);
    },
  };
  return { seen, guide };
};
const failed = [["twice (two) is four", "failed"]];

test("a learner writes, is checked until the tests pass, and the page goes on with the solution", async () => {
  using folder = tutorial(exercise());
  const wrong = solved.replace("2 *", "3 *");
  const own = solved.replace("2 * n", "n + n + 22 - 22");
  const { guide, seen } = learning(["check", "check"], [wrong, own]);
  const report = await folder.run("1-page.md", { guide });
  expect(seen).toEqual([failed, failed, ["solved", own]]);
  expect(report.difference).toBeUndefined();
  expect(report.passed).toBe(true);
});

test.each([
  ["the solution goes on with ours", "solution" as const, ["passed", "passed"]],
  ["stop ends the run, after its Clean up", "stop" as const, ["not run", "passed"]],
])("%s", async (_, answer, statuses) => {
  using folder = tutorial(exercise());
  const { guide, seen } = learning([answer], ["mine"]);
  const report = await folder.run("1-page.md", { guide });
  expect(seen).toEqual([failed, [answer, "mine"]]);
  expect(report.difference).toBeUndefined();
  expect(report.steps.map(({ status }) => status)).toEqual(statuses);
  expect(folder.left()).toEqual([]);
});

test("an interrupt while a learner writes ends the run, and what was written is handed back", async () => {
  using folder = tutorial(exercise());
  const abort = new AbortController();
  const { guide, seen } = learning([]);
  const report = await folder.run("1-page.md", {
    signal: abort.signal,
    guide: {
      ...guide,
      async ask(task) {
        writeFileSync(task.path, "mine");
        abort.abort();
        throw abort.signal.reason;
      },
    },
  });
  expect(seen).toEqual([["stop", "mine"]]);
  expect(report).toMatchObject({ passed: false, steps: [{ status: "not run" }, { status: "not run" }] });
  expect(report.difference).toBeUndefined();
  expect(folder.left()).toEqual([]);
});

test("by hand: the starter and its test are put where they are not, and the solution in their place", async () => {
  const below = fold(`${edit}+  return 2 * n;\n~~~`);
  using folder = tutorial(exercise({ below }));
  const page = folder.page("1-page.md");
  const block = page.steps[0]?.blocks.find(({ kind }) => kind === "exercise");
  if (block?.kind !== "exercise") throw new Error("no exercise");
  const work = join(folder.folder, "..", "runs");
  const o = { root: folder.folder, work, env: { PATH: process.env.PATH ?? "", TMPDIR: work } };
  const byHand = openExercise(page, block, o);
  expect(byHand.begin()).toBe(true);
  writeFileSync(join(work, "p/package.json"), '{"type":"module"}');
  expect(readFileSync(byHand.path, "utf8")).toBe(starter);
  expect(await byHand.check()).toMatchObject([{ status: "failed", message: "Error: your turn" }]);
  writeFileSync(byHand.path, solved.replace("2 * n", "n + n"));
  expect(byHand.begin()).toBe(false);
  expect(await byHand.check()).toMatchObject([{ status: "passed" }]);
  expect(await byHand.solve()).toEqual([join(work, "p/double.ts")]);
  expect(readFileSync(byHand.path, "utf8")).toBe(solved);
});
