import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dropEachStep } from "../mutate/mutate-page.ts";
import { withStage } from "../project/stage.ts";
import { runPage } from "../run/run-page.ts";
import {
  edit,
  exercise,
  fold,
  page,
  sizeTest,
  solved,
  starter,
  tutorial,
} from "../testing/double-exercise.ts";

test("fails with the starter, passes with the committed solution, and compares it at the end", async () => {
  using folder = tutorial(exercise());
  const report = await folder.run("1-page.md");
  expect(report.difference).toBeUndefined();
  expect(report).toMatchObject({ passed: true, leaks: [] });
  expect(folder.left()).toEqual([]);
});

test("accepts a starter that is a part of a written file, and several tests", async () => {
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

test.each([
  ["links", (text: string) => text],
  ["paths in code", (text: string) => text.replaceAll("[double.ts](p/double.ts)", "`double.ts`")],
])(
  "applies a Solution fold in the run, the next page and a copied project, with captions that are %s",
  async (_, captioned) => {
    const below = fold(`${edit}+  return n + n + 22 - 22;\n~~~`);
    const later = `\n[double.ts](p/double.ts)\n\n~~~diff\n-  return n + n + 22 - 22;\n+  return 2 * n;\n~~~\n`;
    const second = page(
      `\n~~~console\n$ ls\ndouble.test.ts  double.ts  package.json\n$ grep -c 22 double.ts\n1\n~~~\n${later}`,
      "start: page 1\n",
    );
    using folder = tutorial(captioned(exercise({ below })), { "2-page.md": captioned(second) });
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
  },
);

test("runs a test that Node cannot load with the project's tsx", async () => {
  const withEnum = sizeTest
    .replace("test(", "enum Two { value = 2 }\ntest(")
    .replace("double(2)", "double(Two.value)");
  using without = tutorial(exercise(), { "p/double.test.ts": withEnum });
  const { difference } = await without.run("1-page.md");
  expect(difference?.message).toMatch(/does not fail by itself/);
  expect(difference?.diff[0]?.text).toMatch(/enum is not supported/);
  const tsx = createRequire(import.meta.url).resolve("tsx/cli");
  const install = `\n~~~console\n$ mkdir -p node_modules/.bin && ln -s ${tsx} node_modules/.bin/tsx\n~~~\n`;
  using folder = tutorial(install + exercise(), { "p/double.test.ts": withEnum });
  expect((await folder.run("1-page.md")).difference).toBeUndefined();
});

test("compares quotations in a Solution fold with the committed file", async () => {
  using right = tutorial(exercise({ below: fold("~~~ts\n  return 2 * n;\n~~~") }));
  expect((await right.run("1-page.md")).difference).toBeUndefined();
  using wrong = tutorial(exercise({ below: fold("~~~ts\n  return 3 * n;\n~~~") }));
  expect((await wrong.run("1-page.md")).difference?.message).toBe("p/double.ts does not have this line here");
});

test("fails without the step of the exercise", async () => {
  using folder = tutorial(exercise({ below: fold(`${edit}+  return 2 * n;\n~~~`) }));
  const mutations = dropEachStep(folder.page("1-page.md"));
  expect(mutations.map(({ name }) => name)).toEqual(['without the step "begin"']);
  const [begin] = mutations;
  if (!begin) throw new Error("no mutation");
  const report = await runPage(begin.page, { root: folder.folder, limits: { repeat: 500 } });
  expect(report.passed).toBe(false);
});
