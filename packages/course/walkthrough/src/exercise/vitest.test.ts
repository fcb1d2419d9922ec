import { expect, test } from "vitest";
import { exercise, tutorial } from "../testing/double-exercise.ts";
import { forVitest, install } from "../testing/vitest-exercise.ts";

test("runs a test for vitest with the project's vitest, which must be installed", async () => {
  using without = tutorial(exercise(), forVitest);
  const { difference } = await without.run("1-page.md");
  expect(difference?.message).toMatch(/cannot be run without vitest: the page must install/);
  using folder = tutorial(install + exercise({ test: "of nothing > is nothing" }), forVitest);
  const report = await folder.run("1-page.md");
  expect(report.difference).toBeUndefined();
});
