import { createRequire } from "node:module";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { exercise, sizeTest, tutorial } from "../testing/double-exercise.ts";

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
