import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { edit, exercise, fold, solved, starter, tutorial } from "../testing/double-exercise.ts";
import { openExercise } from "./open.ts";
import type { VitestRunner } from "./test-run.ts";
import { createVitestRunner } from "./vitest-runner.ts";

/** Opens the exercise of a tutorial's page in an empty folder. */
function openFirst(folder: ReturnType<typeof tutorial>, vitest: VitestRunner) {
  const page = folder.page("1-page.md");
  const block = page.steps[0]?.blocks.find(({ kind }) => kind === "exercise");
  if (block?.kind !== "exercise") throw new Error("no exercise");
  const work = join(folder.folder, "..", "runs");
  const env = { PATH: process.env.PATH ?? "", TMPDIR: work };
  return { work, byHand: openExercise(page, block, { root: folder.folder, work, env, vitest }) };
}

test("places starter and tests by hand, and replaces them by the solution", async () => {
  const below = fold(`${edit}+  return 2 * n;\n~~~`);
  using folder = tutorial(exercise({ below }));
  await using vitest = createVitestRunner();
  const { byHand, work } = openFirst(folder, vitest);
  expect(byHand.begin().file).toBe("written");
  writeFileSync(join(work, "p/package.json"), '{"type":"module"}');
  expect(readFileSync(byHand.path, "utf8")).toBe(starter);
  expect(await byHand.check()).toMatchObject([{ status: "failed", message: "Error: your turn" }]);
  writeFileSync(byHand.path, solved.replace("2 * n", "n + n"));
  expect(byHand.begin().file).toBe("unchanged");
  expect(await byHand.check()).toMatchObject([{ status: "passed" }]);
  expect(await byHand.solve()).toEqual([join(work, "p/double.ts")]);
  expect(readFileSync(byHand.path, "utf8")).toBe(solved);
});

test("makes the page's edits that lead to the starter, and leaves a file where they do not apply", async () => {
  await using vitest = createVitestRunner();
  const first = "export function half(n: number): number {\n  return n / 2;\n}\n";
  const given = `
[double.ts](p/double.ts)

~~~ts file
${first}~~~

[double.ts](p/double.ts)

~~~diff
-  return n / 2;
+  return n * 0.5;
~~~

[double.ts](p/double.ts)

~~~diff
-export function half(n: number): number {
-  return n * 0.5;
+export function double(_n: number): number {
+  throw new Error("your turn");
~~~

[other.ts](p/other.ts)

~~~diff
-const a = 1;
+const a = 2;
~~~
`;
  using folder = tutorial(`${given}${exercise({ below: fold(`${edit}+  return 2 * n;\n~~~`) })}`);
  const { byHand, work } = openFirst(folder, vitest);
  byHand.begin();
  const other = join(work, "p/other.ts");
  for (const [before, after] of [
    ["const a = 1;\n", "const a = 2;\n"],
    ["const a = 2;\n", "const a = 2;\n"],
    ["const b = 1;\n", "const b = 1;\n"],
  ] as const) {
    writeFileSync(other, before);
    expect(byHand.begin().others).toEqual(before === after ? [] : [other]);
    expect(readFileSync(other, "utf8")).toBe(after);
  }
  for (const before of [first, first.replace("n / 2", "n * 0.5"), `// Mine.\n${first}`]) {
    writeFileSync(byHand.path, before);
    // As an editor on Windows saves it.
    writeFileSync(byHand.path, readFileSync(byHand.path, "utf8").replaceAll("\n", "\r\n"));
    expect(byHand.begin().file).toBe("edited");
    expect(readFileSync(byHand.path, "utf8")).toBe(before.replace(/export.*/s, starter));
    expect(byHand.begin().file).toBe("unchanged");
  }
  for (const before of [solved, first.replace("n / 2", "0.5 * n")]) {
    writeFileSync(byHand.path, before);
    expect(byHand.begin().file).toBe("unchanged");
    expect(readFileSync(byHand.path, "utf8")).toBe(before);
  }
});

test("leaves a solved file to which an edit would add the starter again", async () => {
  await using vitest = createVitestRunner();
  const first = 'export const name = "double";\n';
  const given = `
[double.ts](p/double.ts)

~~~ts file
${first}~~~

[double.ts](p/double.ts)

~~~diff
 export const name = "double";
+export function double(_n: number): number {
+  throw new Error("your turn");
+}
+export const title = "Twice";
~~~
`;
  const body = exercise({ below: fold(`${edit}+  return 2 * n;\n~~~`) });
  using folder = tutorial(`${given}${body}`);
  const { byHand } = openFirst(folder, vitest);
  expect(byHand.begin().file).toBe("written");
  const whole = readFileSync(byHand.path, "utf8");
  expect(whole).toBe(`${first}${starter}export const title = "Twice";\n`);
  const own = whole
    .replace("_n: number", "n: number")
    .replace('throw new Error("your turn")', "return 2 * n");
  writeFileSync(byHand.path, own);
  expect(byHand.begin().file).toBe("unchanged");
  expect(readFileSync(byHand.path, "utf8")).toBe(own);
});

test("writes a missing file as the page has written it, if that is the starter already", async () => {
  await using vitest = createVitestRunner();
  const given = `\n[double.ts](p/double.ts)\n\n~~~ts file\n// Numbers.\n${starter}~~~\n`;
  using folder = tutorial(`${given}${exercise({ below: fold(`${edit}+  return 2 * n;\n~~~`) })}`);
  const { byHand } = openFirst(folder, vitest);
  expect(byHand.begin().file).toBe("written");
  expect(readFileSync(byHand.path, "utf8")).toBe(`// Numbers.\n${starter}`);
});

test("adds what the page adds to a file, also if some of those lines are in the file already", async () => {
  await using vitest = createVitestRunner();
  const first = "// name: double\n";
  const given = `
[double.ts](p/double.ts)

~~~ts file
${first}~~~

[double.ts](p/double.ts)

~~~diff
 // name: double
+export function double(_n: number): number {
+  throw new Error("your turn");
+}
+// name: double
~~~
`;
  using folder = tutorial(`${given}${exercise({ below: fold(`${edit}+  return 2 * n;\n~~~`) })}`);
  const { byHand } = openFirst(folder, vitest);
  const whole = `${first}${starter}${first}`;
  expect(byHand.begin().file).toBe("written");
  expect(readFileSync(byHand.path, "utf8")).toBe(whole);
  writeFileSync(byHand.path, first);
  expect(byHand.begin().file).toBe("edited");
  expect(readFileSync(byHand.path, "utf8")).toBe(whole);
  const own = `${first}${starter.replace("_n", "n").replace("throw", "return 2 * n; // throw")}${first}`;
  writeFileSync(byHand.path, own.replace("_n", "n"));
  expect(byHand.begin().file).toBe("unchanged");
});
