import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandVariables, splitWords } from "./words.ts";

const variables: Record<string, string> = { A: "a", SPACED: "x y", EMPTY: "" };
const variable = (name: string) => variables[name];

describe("splitWords", () => {
  it.each([
    ["node  dist/main.js", ["node", "dist/main.js"]],
    ["a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]],
    ["a''b \"\" ''", ["ab", "", ""]],
    [`'$A' "$A" \${A}b $SPACED \\$A`, ["$A", "a", "ab", "x y", "$A"]],
    [`\${NONE:-d} \${EMPTY:-d} \${EMPTY-d} \${A:+yes} \${NONE:+no}x`, ["d", "d", "", "yes", "x"]],
    ['"a\\"b" "\\n"', ['a"b', "\\n"]],
    ["", []],
  ])("splits %s", (text, words) => {
    expect(splitWords(text, variable)).toEqual({ words, operator: undefined });
  });

  it.each([
    ["a && b", "&&"],
    ["a | b", "|"],
    ["a > b", ">"],
    ["a; b", ";"],
    ["echo $(date)", "$("],
    ['echo "`date`"', "`"],
    ["ls *.js", "*"],
  ])("reports that %s needs a shell", (text, operator) => {
    expect(splitWords(text, variable).operator).toBe(operator);
  });

  it("returns quoted words unchanged", () => {
    const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitWords(words.map(quote).join(" "), variable)).toEqual({ words, operator: undefined });
      }),
    );
  });
});

it("expandVariables keeps everything else", () => {
  expect(expandVariables(`x "\${A}" y`, variable)).toBe('x "a" y');
});
