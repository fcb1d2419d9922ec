import { expect, test } from "vitest";
import { exercise, tutorial } from "../testing/double-exercise.ts";
import { forVitest, install } from "../testing/vitest-exercise.ts";

test.each([
  ["of nothing > later", {}, /^it did not run/],
  ["after > a hook", {}, /Error: no cluster/],
  ["of nowhere", {}, /a module does not load: Error: Cannot find module/],
  ["thrice", {}, /there are: twice \(two\) is four, of nothing > is nothing/],
  ["is nothing", { block: "export function (\n" }, /^the file does not run: Transform failed/],
])("reports what vitest says about %s", async (name, options, said) => {
  using folder = tutorial(install + exercise({ test: name, ...options }), forVitest);
  const { difference } = await folder.run("1-page.md");
  expect(difference?.diff.map(({ text }) => text).join("\n")).toMatch(said);
});
