import { expect, test } from "vitest";
import { exercise, tutorial } from "../testing/double-exercise.ts";
import { forVitest, install } from "../testing/vitest-exercise.ts";

test("a test for vitest is run by the vitest of the project, which must be installed", async () => {
  using without = tutorial(exercise(), forVitest);
  const { difference } = await without.run("1-page.md");
  expect(difference?.message).toMatch(/cannot be run without vitest: the page has to install/);
  using folder = tutorial(install + exercise({ test: "of nothing > is nothing" }), forVitest);
  const report = await folder.run("1-page.md");
  expect(report.difference).toBeUndefined();
});
