import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { emitYaml } from "./emit.ts";

// The second value is the output of gopkg.in/yaml.v2 v2.4.0.
test.each([
  [{ b: 1, a: true, B: null, a10: [], a9: {}, "": "" }, '"": ""\nB: null\na: true\na9: {}\na10: []\nb: 1\n'],
  [{ a: [{ b: 1, c: [1, [2, 3]] }, "x"] }, "a:\n- b: 1\n  c:\n  - 1\n  - - 2\n    - 3\n- x\n"],
  [
    { y: "yes", n: "1.0", d: "2026-11-21", t: "12:30", o: "0o7", e: "1e3" },
    'd: "2026-11-21"\ne: "1e3"\n"n": "1.0"\no: "0o7"\nt: "12:30"\n"y": "yes"\n',
  ],
  [
    { a: "a: b", b: "#", c: "it's", d: " x", e: "- x", f: "x #y", g: "x:" },
    "a: 'a: b'\nb: '#'\nc: it's\nd: ' x'\ne: '- x'\nf: 'x #y'\ng: 'x:'\n",
  ],
  [
    { a: "two\nlines", b: "ends\n", c: "more\n\n", d: "\nfirst", e: "space \nend" },
    'a: |-\n  two\n  lines\nb: |\n  ends\nc: |+\n  more\n\nd: |2-\n\n  first\ne: "space \\nend"\n',
  ],
  [
    { a: "tab\t", b: "🎉", c: "é", d: "\u00a0", e: "bell\x07" },
    'a: "tab\\t"\nb: "\\U0001F389"\nc: é\nd: \u00a0\ne: "bell\\a"\n',
  ],
  [
    { a: 1.5, b: 1e21, c: 0.00001, d: 1234567.5, e: -0.25, f: 2147483647 },
    "a: 1.5\nb: 1e+21\nc: 1e-05\nd: 1.2345675e+06\ne: -0.25\nf: 2147483647\n",
  ],
])("writes %j as go-yaml does", (value, text) => {
  expect(emitYaml(value)).toBe(text);
});

test("folds long lines, also quoted ones, at the first space after 80 columns, but never folds keys", () => {
  const words = "a word ".repeat(15).trimEnd();
  expect(emitYaml({ key: words })).toBe(`key: ${words.slice(0, 76)}\n  ${words.slice(77)}\n`);
  expect(emitYaml({ key: `${words}: x` })).toBe(`key: '${words.slice(0, 76)}\n  ${words.slice(77)}: x'\n`);
  expect(emitYaml({ [words]: 1 })).toBe(`${words}: 1\n`);
});

test("writes YAML that parses to the same value", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(parse(emitYaml(plain))).toEqual(plain);
    }),
  );
});
