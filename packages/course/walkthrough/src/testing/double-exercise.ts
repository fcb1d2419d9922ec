// A tutorial with one exercise: double a number.
import { temporaryTutorial } from "./temporary-tutorial.ts";

/** Some tests pass with the starter, are skipped, or do not load. */
export const sizeTest = `import assert from "node:assert/strict";
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
export const starter = `export function double(_n: number): number {\n  throw new Error("your turn");\n}\n`;
export const solved = `export function double(n: number): number {\n  return 2 * n;\n}\n`;

/** An exercise and the text below it. `~~~` stands for three backticks. */
export const exercise = (
  options: { test?: string; block?: string; below?: string; word?: string } = {},
): string => `
The test [\`${options.test ?? "twice (two) is four"}\`](p/double.test.ts) fails. Make it pass.

[double.ts](p/double.ts)

~~~ts ${options.word ?? "exercise"}
${options.block ?? starter}~~~

<details><summary>Hint</summary>

Twice is *plus itself*.

</details>
${options.below ?? ""}
~~~console
$ node -p 'import("./double.ts").then(({ double }) => console.log(double(21)))' | head -1
[..]
$ grep -c 2 double.ts; true
1
~~~
`;
/** A whole page. `front` is more front matter. */
export const page = (body: string, front = ""): string =>
  `---\ntitle: Double\nproject: p\n${front}---\n\n## Begin\n${body}\n## Clean up\n\n~~~console\n$ true\n~~~\n`;
const committed = {
  "p/double.ts": solved,
  "p/double.test.ts": sizeTest,
  "p/package.json": '{"type":"module"}\n',
};
const manifest = `\n[package.json](p/package.json)\n\n~~~json file\n{"type":"module"}\n~~~\n`;
/** The page with the committed project. */
export const tutorial = (body: string, files: Record<string, string> = {}) =>
  temporaryTutorial({ ...committed, ...files, "1-page.md": page(`${manifest}${body}`) });

/** A Solution fold with one block. */
export const fold = (block: string): string => `
<details><summary>Solution</summary>

[double.ts](p/double.ts)

${block}

</details>
`;

/** The first lines of a Solution. The second line of the function follows them. */
export const edit =
  '~~~diff\n-export function double(_n: number): number {\n-  throw new Error("your turn");\n+export function double(n: number): number {\n';
