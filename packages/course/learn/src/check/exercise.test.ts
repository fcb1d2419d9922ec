import { afterEach, beforeEach, expect, it } from "vitest";
import { type LearnerProject, learnerProject, sumFiles } from "../testing/learner-project.ts";
import { checkWork } from "./check.ts";

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

it("shows no line of the solution when an exercise does not compile", async () => {
  await learner.write({ "src/twice.test.ts": test, "src/twice.ts": solution.replace("n + n", "m + n") });
  const { status, said } = await check();
  expect(status).toBe(1);
  expect(said).toContain("src/twice.ts:2:10: error TS2304: Cannot find name 'm'");
  expect(said).not.toContain("return n + n");
});

it("takes no test of an exercise for progress of the learner", async () => {
  await learner.write({ "src/twice.test.ts": test });
  const { status, said } = await check();
  expect({ status, said }).toMatchObject({ status: 0 });
  expect(said).toContain('Right so far: step 1 of 3, "Set it up"');
});
