import { expect, test } from "vitest";
import { exercise, fold, page } from "../testing/double-exercise.ts";
import { parsePage } from "./parse.ts";

test.each([
  [
    "no test",
    exercise().replace(/The test .*\n/, "Your turn.\n"),
    /^page\.md:\d+: an exercise names its failing test in the paragraph above the caption/,
  ],
  ["a test without a name", exercise({ test: "double.test.ts" }), /an exercise names its failing test/],
  ["a value", exercise({ word: "exercise=1" }), /"exercise" takes no value/],
  [
    "something to run in its Solution",
    exercise({ below: fold("~~~console\n$ true\n~~~") }),
    /a Solution holds edits/,
  ],
  [
    "no link",
    exercise().replace("[double.ts](p/double.ts)\n", "double.ts\n"),
    /"exercise" needs a line above the fence that is only a link/,
  ],
])("rejects an exercise with %s", (_, body, message) => {
  expect(() => parsePage(page(body).replaceAll("~~~", "```"), "page.md")).toThrow(message);
});

test("gives hints to the exercise above them, as Markdown", () => {
  const markdown = page(
    exercise({ below: "\n<details><summary>Another hint</summary>\n`n + n`\n</details>\n" }),
  ).replaceAll("~~~", "```");
  const [block] = parsePage(markdown, "page.md").steps[0]?.blocks ?? [];
  expect(block).toMatchObject({
    kind: "exercise",
    hints: ["Twice is *plus itself*.", "`n + n`"],
    solution: [],
  });
});
