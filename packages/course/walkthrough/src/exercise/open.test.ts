import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { edit, exercise, fold, solved, starter, tutorial } from "../testing/double-exercise.ts";
import { openExercise } from "./open.ts";
import { createVitestRunner } from "./vitest-runner.ts";

test("places starter and tests by hand, and replaces them by the solution", async () => {
  const below = fold(`${edit}+  return 2 * n;\n~~~`);
  using folder = tutorial(exercise({ below }));
  const page = folder.page("1-page.md");
  const block = page.steps[0]?.blocks.find(({ kind }) => kind === "exercise");
  if (block?.kind !== "exercise") throw new Error("no exercise");
  const work = join(folder.folder, "..", "runs");
  await using vitest = createVitestRunner();
  const o = { root: folder.folder, work, env: { PATH: process.env.PATH ?? "", TMPDIR: work }, vitest };
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
