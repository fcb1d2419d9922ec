import { expect, test } from "vitest";
import { exercise, solved, starter, tutorial } from "../testing/double-exercise.ts";

test.each<[string, string, Record<string, string>, string, RegExp]>([
  [
    "a test that passes",
    exercise({ test: "starter" }),
    {},
    "",
    /^the exercise has nothing to do: .* the test "starter" of p\/double\.test\.ts passes$/,
  ],
  [
    "a missing test",
    exercise({ test: "thrice" }),
    {},
    "there is no such test",
    /"thrice" of p\/double\.test\.ts does not fail by itself/,
  ],
  [
    "a skipped test",
    exercise({ test: "of nothing > later" }),
    {},
    "it did not run",
    /does not fail by itself/,
  ],
  [
    "a hook that fails",
    exercise({ test: "after > a hook" }),
    {},
    "it did not run: Error: no cluster",
    /does not fail by itself/,
  ],
  [
    "a test that loads nothing",
    exercise({ test: "of nowhere" }),
    {},
    "a module does not load: Error: Cannot find module",
    /does not fail by itself/,
  ],
  [
    "a starter that is not TypeScript",
    exercise({ block: "export function (\n" }),
    {},
    "the file does not run: SyntaxError",
    /does not fail by itself/,
  ],
  [
    "a starter without the export",
    exercise({ block: "export {};\n" }),
    {},
    "does not provide an export named 'double'",
    /does not fail by itself/,
  ],
  [
    "a wrong solution",
    exercise(),
    { "p/double.ts": solved.replace("2 *", "22 *") },
    "44 !== 4",
    /^with the solution the test .* does not pass$/,
  ],
  [
    "a solution that is the starter",
    exercise(),
    { "p/double.ts": starter },
    "",
    /^the exercise has nothing to solve: p\/double\.ts is already/,
  ],
  [
    "a starter that is not in the file",
    `\n[double.ts](p/double.ts)\n\n~~~ts file\n${starter}~~~\n${exercise({ block: "  return 0;\n" })}`,
    {},
    "return 0",
    /p\/double\.ts does not have this line here/,
  ],
])("rejects %s, with its place", async (_, body, files, said, message) => {
  using folder = tutorial(body, files);
  const report = await folder.run("1-page.md");
  expect(report.difference?.message).toMatch(message);
  expect(report.difference?.diff.map(({ text }) => text).join("\n")).toContain(said);
  expect(folder.line("1-page.md", report.difference?.line)).toMatch(/^(```ts exercise| {2}return 0;)$/);
  expect(folder.left()).toEqual([]);
});

test("reports a missing test or solution before a step runs", async () => {
  using folder = tutorial(exercise());
  folder.remove("p/double.ts");
  expect((await folder.run("1-page.md")).difference?.message).toMatch(
    /^the exercise has no solution: put p\/double\.ts into the committed project, or/,
  );
  using other = tutorial(exercise());
  other.remove("p/double.test.ts");
  expect((await other.run("1-page.md")).difference?.message).toMatch(
    /^there is no test file p\/double\.test\.ts: put it into/,
  );
});
