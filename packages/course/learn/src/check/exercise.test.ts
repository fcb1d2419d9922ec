import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catchUp } from "../catch-up/catch-up.ts";
import { doExercise } from "../exercise/exercise.ts";
import { type LearnerProject, learnerProject, sumFiles } from "../testing/learner-project.ts";
import { checkWork } from "./check.ts";
import { showDiff } from "./diff.ts";

const starter = `export function twice(n: number): number {
  throw new Error("your turn");
}
`;
const solution = "export function twice(n: number): number {\n  return n + n;\n}\n";
const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { twice } from "./twice.ts";
test("doubles", () => assert.equal(twice(21), 42));
`;
const page = `---
title: Twice
project: p
---

# Twice

## Set it up

${Object.entries(sumFiles.setup)
  .map(([file, text]) => `[${file}](p/${file})\n\n~~~json file\n${text}~~~\n\n`)
  .join("")}
## Double it

The test [\`doubles\`](p/src/twice.test.ts) fails.

\`src/twice.ts\`

~~~ts exercise
${starter}~~~

## Clean up
`;

let learner: LearnerProject;
beforeEach(async () => {
  learner = await learnerProject({
    "1-twice.md": page,
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  await learner.write(sumFiles.setup);
});
afterEach(() => learner[Symbol.asyncDispose]());

const check = () => learner.run((options) => checkWork(undefined, options));

it("accepts a solution that resembles the starter more than the page's solution", async () => {
  await learner.write({
    "src/twice.test.ts": test,
    "src/twice.ts": `export function twice(n: number): number {
  if (Number.isNaN(n)) throw new Error("your turn");
  return 2 * n;
}
`,
  });
  expect((await check()).said).toContain('Right so far: step 2 of 3, "Double it"');
});

it("keeps a solution at catch-up if its tests accept it, and says why it replaces another", async () => {
  await writeFile(join(learner.project, "pnpm-lock.yaml"), "");
  const own = solution.replace("n + n", "2 * n");
  await learner.write({ "src/twice.ts": own });
  const right = await learner.run((options) => catchUp("2", options));
  expect(right.said).toContain("Kept src/twice.ts: its tests accept your solution.");
  expect(right.said).toContain("Wrote src/twice.test.ts.");
  expect(await learner.read("src/twice.ts")).toBe(own);
  await learner.write({ "src/twice.ts": solution.replace("n + n", "3 * n") });
  const wrong = await learner.run((options) => catchUp("2", options));
  expect(wrong.said).toContain(
    "Replaces src/twice.ts: the exercise is not solved yet.\nWhat you wrote is in ",
  );
  expect(await learner.read("src/twice.ts")).toBe(solution);
});

it("shows no line of the solution when an exercise does not compile", async () => {
  await learner.write({ "src/twice.test.ts": test, "src/twice.ts": solution.replace("n + n", "m + n") });
  const { status, said } = await check();
  expect(status).toBe(1);
  expect(said).toContain("src/twice.ts:2:10: error TS2304: Cannot find name 'm'");
  expect(said).not.toContain("return n + n");
});

it("does not report that a file of the page does not compile until the page replaces it", async () => {
  const given = (name: string) =>
    `[src/label.ts](p/src/label.ts)\n\n~~~ts file\nimport { ${name} } from "./twice.ts";\n\nexport const label = ${name}.name;\n~~~\n\n`;
  await using other = await learnerProject({
    "1-twice.md": page
      .replace("## Double it\n", `## Label it\n\n${given("double")}## Double it\n`)
      .replace("## Clean up", `## Label it again\n\n${given("twice")}## Clean up`),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/label.ts": 'import { twice } from "./twice.ts";\n\nexport const label = twice.name;\n',
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  const label = 'import { double } from "./twice.ts";\n\nexport const label = double.name;\n';
  await other.write({ ...sumFiles.setup, "src/label.ts": label, "src/twice.test.ts": test });
  await other.write({ "src/twice.ts": solution.replace("n + n", "2 * n") });
  const { status, said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain('Right so far: step 3 of 5, "Double it"');
  expect(status).toBe(0);
});

/** Opens a project of a page that edits the exercise's file once more, after `Double it`. */
async function explainedProject() {
  const edit = "~~~diff\n+// Of 21, it is 42.\n export function twice(n: number): number {\n~~~\n";
  const other = await learnerProject({
    "1-twice.md": page.replace(
      "## Clean up",
      `## Explain it\n\n[src/twice.ts](p/src/twice.ts)\n\n${edit}\n## Clean up`,
    ),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  await other.write({ ...sumFiles.setup, "src/twice.test.ts": test });
  return other;
}
const ownSolution = solution.replace("n + n", "2 * n");

it("says once that the learner's own solution lacks a later edit of the page", async () => {
  await using other = await explainedProject();
  await other.write({ "src/twice.ts": `// Of 21, it is forty-two.\n${ownSolution}` });
  const again = () => other.run((options) => checkWork(undefined, options));
  const note =
    "src/twice.ts is your own solution, and its tests pass. It lacks the page's last edit in the step";
  expect((await again()).said).toContain(note);
  const { status, said } = await again();
  expect(status).toBe(0);
  expect(said).toContain('Right so far: step 3 of 4, "Explain it"');
  expect(said).not.toContain(note);
});

it("says nothing about a later edit of the page that the learner's own solution has", async () => {
  await using other = await explainedProject();
  await other.write({ "src/twice.ts": `// Of 21, it is 42.\n${ownSolution}` });
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain('Right so far: step 3 of 4, "Explain it"');
  expect(said).not.toContain("own solution");
});

it("does not count a step that takes its edits back before the learner has begun it", async () => {
  const edit = (from: string, to: string) =>
    `[src/twice.ts](p/src/twice.ts)\n\n~~~diff\n-${from}\n+${to}\n~~~\n\n`;
  const [first, other] = ["  return n + n;", "  return n * 2;"];
  const tried = `## Try it\n\n${edit(first, other)}${edit(other, first)}## Clean up`;
  await using learner = await learnerProject({
    "1-twice.md": page.replace("## Clean up", tried),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  await learner.write({ ...sumFiles.setup, "src/twice.test.ts": test });
  for (const own of [solution, solution.replace("n + n", "n - -n")]) {
    await learner.write({ "src/twice.ts": own });
    const { said } = await learner.run((options) => checkWork(undefined, options));
    expect(said).toMatch(/Right so far: step 2 of 4, "Double it"\. After it: "Try it" \(.*\), and 1 more\n/);
  }
  await learner.write({ "src/twice.ts": solution.replace(first, other) });
  const begun = await learner.run((options) => checkWork(undefined, options));
  expect(begun.said).toMatch(/Right so far: step 3 of 4, "Try it"\. Next: src\/twice\.ts/);
});

it("names the edit that is left of a step, instead of the type errors until then", async () => {
  const add = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
  const twice = (name: string, sum: string) =>
    `import { ${name} } from "./add.ts";\n\nexport function twice(n: number): number {\n  return ${sum};\n}\n`;
  const renamed = `## Rename it

[src/add.ts](p/src/add.ts)

~~~diff
-export function add(a: number, b: number): number {
+export function plus(a: number, b: number): number {
~~~

[src/twice.ts](p/src/twice.ts)

~~~diff
-import { add } from "./add.ts";
+import { plus } from "./add.ts";
 
 export function twice(n: number): number {
-  return add(n, n);
+  return plus(n, n);
~~~

`;
  await using other = await learnerProject({
    "1-twice.md": page
      .replace("## Double it", `[src/add.ts](p/src/add.ts)\n\n~~~ts file\n${add}~~~\n\n## Double it`)
      .replace(
        `${starter}~~~`,
        `${twice("add", "add(n, 0)")}~~~\n\n<details><summary>Solution</summary>\n\n[src/twice.ts](p/src/twice.ts)\n\n~~~diff\n-  return add(n, 0);\n+  return add(n, n);\n~~~\n\n</details>`,
      )
      .replace("## Clean up", `${renamed}## Clean up`),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/add.ts": add.replace("add", "plus"),
    "p/src/twice.ts": twice("plus", "plus(n, n)"),
    "p/src/twice.test.ts": test,
  });
  const own = twice("add", "add(2 * n, 0)");
  await other.write({ ...sumFiles.setup, "src/add.ts": add, "src/twice.ts": own, "src/twice.test.ts": test });
  const checkOther = () => other.run((options) => checkWork(undefined, options));
  expect((await checkOther()).said).toContain('Right so far: step 2 of 4, "Double it"');
  await other.write({ "src/add.ts": add.replace("add", "plus") });
  const { status, said } = await checkOther();
  expect(said).toMatch(/Right so far: step 3 of 4, "Rename it"\. Next: src\/twice\.ts \(1-twice\.md:\d+\)/);
  expect(status).toBe(0);
  await other.write({ "src/twice.ts": twice("plus", "plus(2 * n, 1)") });
  expect((await checkOther()).said).toContain("✗ doubles");
});

it("names a line that the page gave before the exercise and a solution lacks, once", async () => {
  const limit = "export const limit = 100;\n";
  const file = `[src/twice.ts](p/src/twice.ts)\n\n~~~ts file\n${limit}${starter}~~~\n\n`;
  const own = solution.replace("n + n", "2 * n");
  await using other = await learnerProject({
    "1-twice.md": page.replace("The test [", `${file}The test [`),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/twice.ts": limit + solution,
    "p/src/twice.test.ts": test,
  });
  const checkOther = () => other.run((options) => checkWork(undefined, options));
  await other.write({ ...sumFiles.setup, "src/twice.test.ts": test, "src/twice.ts": own });
  const { status, said } = await checkOther();
  expect(said).toContain("src/twice.ts lacks a line that the page has above the exercise");
  expect(said).toContain("`export const limit = 100;`. Add it, unless you did it your own way.");
  expect(status).toBe(0);
  expect((await checkOther()).said).not.toContain("lacks");
  await other.write({ "src/twice.ts": limit + own });
  expect((await checkOther()).said).not.toContain("lacks");
});

it("asks for no import of the page whose names a solution imports together with others", async () => {
  const types = "export type Count = number;\nexport const zero: Count = 0;\n";
  const imports = 'import type { Count } from "./count.ts";\n\n';
  const typed = (text: string) => imports + text.replaceAll(": number", ": Count");
  const files =
    `[src/count.ts](p/src/count.ts)\n\n~~~ts file\n${types}~~~\n\n` +
    `[src/twice.ts](p/src/twice.ts)\n\n~~~ts file\n${typed(starter)}~~~\n\n`;
  await using other = await learnerProject({
    "1-twice.md": page.replace("The test [", `${files}The test [`).replace(starter, typed(starter)),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/count.ts": types,
    "p/src/twice.ts": typed(solution),
    "p/src/twice.test.ts": test,
  });
  const own = typed(solution)
    .replace("import type { Count }", "import { type Count, zero }")
    .replace("n + n", "zero + 2 * n");
  const given = { ...sumFiles.setup, "src/count.ts": types, "src/twice.test.ts": test };
  await other.write({ ...given, "src/twice.ts": own });
  const { status, said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain("Right so far");
  expect(said).not.toContain("lacks");
  expect(status).toBe(0);
});

it("asks for no line of the solution that the page had and then removed before the exercise", async () => {
  const file = `[src/twice.ts](p/src/twice.ts)\n\n~~~ts file\n${solution}~~~\n\n`;
  const edit = `--- a/src/twice.ts
+++ b/src/twice.ts
@@ -1,3 +1,3 @@
 export function twice(n: number): number {
-  return n + n;
+  throw new Error("your turn");
 }
`;
  await using other = await learnerProject({
    "1-twice.md": page.replace("The test [", `${file}\`src/twice.ts\`\n\n~~~diff\n${edit}~~~\n\nThe test [`),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  const own = solution.replace("n + n", "2 * n");
  await other.write({ ...sumFiles.setup, "src/twice.test.ts": test, "src/twice.ts": own });
  const { status, said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain("Right so far");
  expect(said).not.toContain("lacks");
  expect(status).toBe(0);
});

it("names other files that differ if an exercise's test fails, because the mistake may be there", async () => {
  const plus = "export const plus = (a: number, b: number): number => a + b;\n";
  const file = `[src/plus.ts](p/src/plus.ts)\n\n~~~ts file\n${plus}~~~\n\n`;
  const own = `import { plus } from "./plus.ts";\n${solution.replace("n + n", "plus(n, n)")}`;
  await using other = await learnerProject({
    "1-twice.md": page.replace("The test [", `${file}The test [`),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/plus.ts": plus,
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  const files = { ...sumFiles.setup, "src/twice.test.ts": test, "src/twice.ts": own };
  await other.write({ ...files, "src/plus.ts": plus.replace("a + b", "a - b") });
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain("✗ src/twice.ts: the exercise is not solved yet");
  expect(said).toContain("If it is right, the mistake may be in src/plus.ts, which differs from the page's.");
});

it("names pnpm install if a package of an exercise's test is missing", async () => {
  const missing = `import "@operator-path/missing";\n${test}`;
  await using other = await learnerProject({
    "1-twice.md": page,
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": missing,
  });
  const own = solution.replace("n + n", "2 * n");
  await rm(join(other.project, "node_modules"));
  await other.write({ ...sumFiles.setup, "src/twice.test.ts": missing, "src/twice.ts": own });
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain("A package is missing: run `pnpm install`, and check again.");
});

it("shows no page's text in a diff while the file has the starter", async () => {
  await learner.write({ "src/twice.test.ts": test, "src/twice.ts": starter });
  const { said } = await learner.run((options) => showDiff("src/twice.ts", options));
  expect(said).toContain("src/twice.ts still has the starter of an exercise.");
  expect(said).not.toContain("n + n");
});

it("says how to get the test of an exercise, which no page shows", async () => {
  await learner.write({ "src/twice.ts": solution });
  const { said } = await check();
  expect(said).toContain("✗ src/twice.test.ts: you do not have this test of an exercise");
  expect(said).toContain("`exercise 1 begin` copies it into your folder.");
});

it("names the steps with only text that come before the next one with something to do", async () => {
  const read = "## Read on\n\nNothing to do here.\n\n## Double it\n";
  await using other = await learnerProject({
    "1-twice.md": page.replace("## Double it\n", read),
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  await other.write(sumFiles.setup);
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toMatch(/Next: "Read on" \(.*\), then "Double it" \(/);
});

it("takes no test of an exercise for progress of the learner", async () => {
  await learner.write({ "src/twice.test.ts": test });
  const { status, said } = await check();
  expect({ status, said }).toMatchObject({ status: 0 });
  expect(said).toContain('Right so far: step 1 of 3, "Set it up"');
});

/** Opens a project of a page with a second exercise of the same file. */
async function roundedProject(change = (text: string) => text) {
  const rounds = test.replace("doubles", "rounds").replace("twice(21), 42", "twice(1.4), 3");
  const rounded = `## Round it

The test [\`rounds\`](p/src/rounds.test.ts) fails.

[src/twice.ts](p/src/twice.ts)

~~~ts exercise
${solution}~~~

<details><summary>Solution</summary>

[src/twice.ts](p/src/twice.ts)

~~~diff
-  return n + n;
+  return Math.round(n + n);
~~~

</details>

`;
  const other = await learnerProject({
    "1-twice.md": change(
      page
        .replace(
          `${starter}~~~`,
          `${starter}~~~\n\n<details><summary>Solution</summary>\n\n\`src/twice.ts\`\n\n~~~diff\n-  throw new Error("your turn");\n+  return n + n;\n~~~\n\n</details>`,
        )
        .replace("## Clean up", `${rounded}## Clean up`),
    ),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/twice.ts": solution.replace("n + n", "Math.round(n + n)"),
    "p/src/twice.test.ts": test,
    "p/src/rounds.test.ts": rounds,
  });
  await other.write({ ...sumFiles.setup, "src/twice.test.ts": test });
  return { other, rounds };
}
const inOwnWords = (body: string) => `export const twice = (value: number): number => ${body};\n`;

it("does not miss a line that only the page's solution of an earlier exercise has", async () => {
  const { other, rounds } = await roundedProject();
  await using _ = other;
  await other.write({
    "src/twice.ts": inOwnWords("Math.round(value * 2)"),
    "src/rounds.test.ts": rounds,
  });
  const { status, said } = await other.run((options) => checkWork(undefined, options));
  expect({ status, said }).toMatchObject({ status: 0 });
  expect(said).not.toContain("lacks");
});

it("counts an exercise that is begun and solved, even if the solution resembles an earlier step more", async () => {
  const { other, rounds } = await roundedProject();
  await using _ = other;
  await other.write({ "src/twice.ts": inOwnWords("value * 2") });
  const checkOther = () => other.run((options) => checkWork(undefined, options));
  expect((await checkOther()).said).toContain('Right so far: step 2 of 4, "Double it"');
  await other.write({ "src/rounds.test.ts": rounds });
  expect((await checkOther()).said).toContain('Right so far: step 2 of 4, "Double it"');
  await other.write({ "src/twice.ts": inOwnWords("Number((value * 2).toFixed())") });
  const { said, status } = await checkOther();
  expect(said).toContain('Right so far: step 3 of 4, "Round it"');
  expect(status).toBe(0);
});

it("is in the step of a begun exercise that does not compile", async () => {
  const { other, rounds } = await roundedProject();
  await using _ = other;
  await other.write({
    "src/rounds.test.ts": rounds,
    "src/twice.ts": inOwnWords("Number((valu * 2).toFixed())"),
  });
  const { said, status } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain('step 3 of 4, "Round it"');
  expect(said).toContain("error TS2552: Cannot find name 'valu'");
  expect(said).not.toContain("return n + n");
  expect(status).toBe(1);
  await writeFile(join(other.project, "pnpm-lock.yaml"), "");
  const compared = await other.run((options) => showDiff("src/twice.ts", options));
  expect(compared.said).toContain("+  return Math.round(n + n);");
  const caughtUp = await other.run((options) => catchUp(undefined, options));
  expect(caughtUp.said).not.toContain("goes back to an earlier step");
  expect(caughtUp.said).toContain('You are at the end of step 3 of 4, "Round it"');
});

it("is not in the step of a later exercise with the same test file", async () => {
  const shared = `The test [\`rounds\`](p/src/twice.test.ts) fails.`;
  const { other } = await roundedProject((text) => text.replace(/The test \[`rounds`\].* fails\./, shared));
  await using _ = other;
  await other.write({ "src/twice.test.ts": `${test}test("rounds", () => assert.equal(twice(1.4), 3));\n` });
  await other.write({ "src/twice.ts": inOwnWords("Number((valu * 2).toFixed())") });
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain('step 2 of 4, "Double it"');
});

it("reports the test of an exercise that does not compile, whatever else the test imports", async () => {
  const label = (name: string) => `export const ${name} = "twice";\n`;
  const file = (text: string) => `[src/label.ts](p/src/label.ts)\n\n~~~ts file\n${text}~~~\n\n`;
  const both = `import { label } from "./label.ts";\n${test}assert.ok(label);\n`;
  await using other = await learnerProject({
    "1-twice.md": page
      .replace("## Double it\n", `${file(label("label"))}## Double it\n`)
      .replace("## Clean up", `## Name it\n\n${file(`${label("label")}${label("name")}`)}## Clean up`),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/label.ts": `${label("label")}${label("name")}`,
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": both,
  });
  await other.write({ ...sumFiles.setup, "src/label.ts": label("label"), "src/twice.test.ts": both });
  await other.write({ "src/twice.ts": ownSolution.replace("n: number", "n: number, _times: number") });
  const { said, status } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain("error TS2554: Expected 2 arguments, but got 1");
  expect(status).toBe(1);
});

it("does not report an error of the page's own file until the page replaces what that imports", async () => {
  const [before, after] = [
    'export { twice } from "./twice.ts";\n\nexport const label = "twice";\n',
    'export { twice } from "./twice.ts";\n\nexport const name = "twice";\n',
  ];
  const main = 'import { name } from "./label.ts";\n\nconsole.log(name);\n';
  const file = (path: string, text: string) => `[${path}](p/${path})\n\n~~~ts file\n${text}~~~\n\n`;
  await using other = await learnerProject({
    "1-twice.md": page
      .replace("## Double it\n", `${file("src/label.ts", before)}${file("src/main.ts", main)}## Double it\n`)
      .replace("## Clean up", `## Name it\n\n${file("src/label.ts", after)}## Clean up`),
    "p/package.json": sumFiles.setup["package.json"],
    "p/tsconfig.json": sumFiles.setup["tsconfig.json"],
    "p/src/label.ts": after,
    "p/src/main.ts": main,
    "p/src/twice.ts": solution,
    "p/src/twice.test.ts": test,
  });
  await other.write({ ...sumFiles.setup, "src/label.ts": before, "src/main.ts": main });
  await other.write({ "src/twice.test.ts": test, "src/twice.ts": ownSolution });
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain('Right so far: step 2 of 4, "Double it"');
});

it("is for catch-up and diff where it is for check", async () => {
  const { other, rounds } = await roundedProject();
  await using _ = other;
  await writeFile(join(other.project, "pnpm-lock.yaml"), "");
  const own = inOwnWords("Number((value * 2).toFixed())");
  await other.write({ "src/rounds.test.ts": rounds, "src/twice.ts": own });
  const compared = await other.run((options) => showDiff("src/twice.ts", options));
  expect(compared.said).toContain("+  return Math.round(n + n);");
  const { said } = await other.run((options) => catchUp(undefined, options));
  expect(said).toContain("Kept src/twice.ts: its tests accept your solution.");
  expect(said).toContain('You are at the end of step 3 of 4, "Round it"');
});

describe("exercise check", () => {
  const checkExercise = () => learner.run((options) => doExercise("01-sum/1@double-it", "check", options));

  it("reports a method that does not exist by its place, before the tests fail without naming it", async () => {
    const typo = "export function twice(n: number): number {\n  return [n, n].reducee((a, b) => a + b);\n}\n";
    await learner.write({ "src/twice.ts": typo });
    const { status, said } = await checkExercise();
    expect(status).toBe(1);
    expect(said).toContain("✗ src/twice.ts:2:17: error TS2551: Property 'reducee' does not exist");
    expect(said).toContain("The tests run when it compiles.");
    expect(said).not.toContain("doubles");
    await learner.write({ "src/twice.ts": solution });
    expect(await checkExercise()).toEqual({
      status: 0,
      said: "✓ doubles  .operator-path/01-sum/p/src/twice.test.ts",
    });
  });

  it("reports a type error in a file that the learner's file imports", async () => {
    const helper = "export const sum = (a: number, b: number): number => a.pluss(b);\n";
    const own = `import { sum } from "./sum.ts";\n\n${solution.replace("n + n", "sum(n, n)")}`;
    await learner.write({ "src/twice.ts": own, "src/sum.ts": helper });
    const { status, said } = await checkExercise();
    expect(said).toContain("✗ src/sum.ts:1:");
    expect(status).toBe(1);
  });

  it("runs the tests although another file does not compile", async () => {
    await learner.write({ "src/twice.ts": solution, "src/later.ts": "const a: string = 1;\n" });
    expect((await checkExercise()).status).toBe(0);
  });
});
