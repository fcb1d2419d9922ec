import { describe, expect, test } from "vitest";
import { problemsOf, scale } from "../testing/text-problems.ts";

describe("claims", () => {
  const claim = (words: string, is: string): string => `  - words: ${words}\n    is: ${is}\n`;

  test.each([
    [
      "missing words",
      "It waits.",
      claim("in 3 steps", "{ match: x }"),
      'claims/1-first.yaml:2: the page does not say "in 3 steps"',
    ],
    [
      "repeated words",
      "In 3 steps. Again, in 3 steps. And in 3 steps",
      claim("in 3 steps", '{ match: "=(3)" }'),
      'the page says "in 3 steps" 2 times',
    ],
    [
      "words within a number",
      "13 steps",
      claim("3 steps", '{ match: "=(3)" }'),
      'the page does not say "3 steps"',
    ],
    [
      "a missing file",
      "in 3 steps",
      claim("in 3 steps", "{ in: gone.ts, count: lines }"),
      "there is no file",
    ],
    [
      "a pattern that matches nothing",
      "in 3 steps",
      claim("in 3 steps", '{ match: "(nothing)" }'),
      "nothing in the page matches (nothing)",
    ],
    [
      "a pattern with several values",
      "in 3 steps",
      claim("in 3 steps", '{ in: app/Makefile, match: "^(\\\\w)" }'),
      "match more of the line",
    ],
    [
      "too few values",
      "from 2 to 3",
      claim("from 2 to 3", '{ match: "=(3)" }'),
      "the words have 2 numbers, but the sources give 1 value",
    ],
    [
      "a page without that step",
      "on page 2",
      claim("on page 2", '{ in: "2-next.md#gone", number: page }'),
      "has no step gone",
    ],
    [
      "an external fact without its day",
      "since 1.16",
      "  - words: since 1.16\n    external: I know\n",
      "claim: external ends with the day",
    ],
    ["no source", "since 1.16", "  - words: since 1.16\n", "needs exactly one of is, external, unbound"],
    [
      "an unknown field",
      "since 1.16",
      "  - words: since 1.16\n    iss: {}\n",
      "claims/1-first.yaml:2: claim:",
    ],
    [
      "nothing to compare",
      "no number",
      claim("no number", '{ match: "=(3)" }'),
      "there is nothing to compare",
    ],
  ])("with %s are reported", (_, text, claims, message) => {
    expect(problemsOf(`${text}\n\n${scale}`, claims).join("\n")).toContain(message);
  });

  test("cover code spans, and compare them with their source", () => {
    const claims = claim('"`gone`"', '{ in: app/src/wait.ts, match: "return \\"(.*)\\"" }');
    expect(problemsOf("It says `gone`.", claims).join("\n")).toContain(
      "the page says `gone`, but its source gives done",
    );
    const right = claim('"`docker ps`"', '{ in: app/src/wait.ts, match: "done" }');
    expect(problemsOf("Run `docker ps`.", right)).toEqual([]);
  });

  test("may count the blocks, lists and tables near their words", () => {
    const body = `Three steps, in two commands:\n\n1. a\n2. b\n3. c\n\n${scale.replace("$", "$ true\n$")}\nTwo names: settle and atMost.\n\nThe two rows:\n\n| A |\n|-|\n| a |\n| b |\n`;
    const claims = [
      claim("Three steps", "{ in: next list, count: items }"),
      claim("in two commands", "{ in: next block, count: commands }"),
      claim("The two rows", "{ in: next table, count: rows }"),
      claim("Two names", "{ in: text, count: settle|atMost }"),
    ];
    expect(problemsOf(body, claims.join(""))).toEqual([]);
    expect(problemsOf(body.replace("3. c\n", ""), claims.join("")).join("\n")).toContain(
      "the page says Three, but its source gives 2",
    );
  });
});
