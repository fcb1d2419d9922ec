import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdit, hasEdit } from "./edit.ts";
import { lineComparison } from "./line-comparison.ts";
import { findMismatch } from "./slice.ts";
import { parseTree, pathBelow } from "./tree.ts";

const file = "import a;\n\nfunction f() {\n  one();\n  two();\n\n  three();\n}\n";

test.each([
  ["a run of lines", "  one();\n  two();"],
  ["without its indentation", "one();\ntwo();\n\nthree();"],
  ["with lines left out", "function f() {\n  // …\n  three();\n}"],
  ["the whole file", file],
])("accepts a quotation %s", (_, quotation) => {
  expect(findMismatch(quotation, file)).toBeUndefined();
});

test.each([
  ["a changed line", "  one();\n  too();", 1],
  ["a line left out silently", "  one();\n\n  three();", 1],
  ["another order", "  three();\n// …\n  one();", 2],
  ["half of a line", "one", 0],
  ["another indentation within", "function f() {\none();", 1],
])("rejects a quotation with %s", (_, quotation, line) => {
  expect(findMismatch(quotation, file)).toBe(line);
});

test("accepts every slice of a file as its quotation", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[ a-z{}]{0,8}$/), { minLength: 1 }),
      fc.nat(),
      fc.nat(),
      (lines, from, length) => {
        const start = from % lines.length;
        const slice = lines.slice(start, start + 1 + (length % 4));
        expect(findMismatch(slice.join("\n"), lines.join("\n"))).toBeUndefined();
      },
    ),
  );
});

test("replaces lines where the context fits, hunk by hunk", () => {
  const edited = applyEdit(file, "-import a;\n+import b;\n@@\n   two();\n \n-  three();\n+  four();\n");
  expect(edited).toBe("import b;\n\nfunction f() {\n  one();\n  two();\n\n  four();\n}\n");
});

test.each([
  ["a line that is not there", "-  six();\n", 'the file does not have this line here: "  six();"'],
  ["a place that is not clear", "-x\n", "this fits in 2 places"],
  ["no place at all", "+x\n", "only added lines"],
  ["a line without a sign", "import a;\n", 'begins with "+", "-" or a space'],
])("rejects an edit with %s", (_, diff, message) => {
  expect(() => applyEdit(`${file}x\nx\n`, diff)).toThrow(message);
});

test("knows a file that has the changes of a diff already", () => {
  const diff =
    "--- a/f.ts\n+++ b/f.ts\n@@ -1,1 +1,1 @@\n-import a;\n+import b;\n@@ -7,1 +7,2 @@\n   three();\n+  four();\n }\n";
  const edited = applyEdit(file, diff);
  expect(hasEdit(file, diff)).toBe(false);
  expect(hasEdit(edited, diff)).toBe(true);
  expect(hasEdit(edited.replace("four", "for"), diff)).toBe(false);
  expect(hasEdit(edited, "-import c;\n+import b;\n   two();\n")).toBe(false);
});

const timer = "const wait = 1000\nif (a == 'it\\'s') {\n\tstart({a, b})\n}\n";
const timerDiff =
  ' const wait = 1_000;\n if (a == "it\'s") {\n-  start({ a, b, });\n+  start({ a, b, c });\n }\n';

test("fits code that is formatted in another way, whose lines stay", () => {
  const isSameLine = lineComparison("src/timer.ts");
  const edited = timer.replace("\tstart({a, b})", "  start({ a, b, c });");
  expect(() => applyEdit(timer, timerDiff)).toThrow("does not have this line");
  expect(applyEdit(timer, timerDiff, { isSameLine })).toBe(edited);
  expect(hasEdit(timer, timerDiff, { isSameLine })).toBe(false);
  expect(hasEdit(edited.replaceAll(";", ""), timerDiff, { isSameLine })).toBe(true);
});

test.each([
  ["src/a.ts", "const a = 1000;", "const a = 1_001;"],
  ["src/a.ts", 'f("a b");', 'f("a  b");'],
  ["src/a.ts", "f(a, b);", "f(a b);"],
  ["src/a.ts", "f(`a`);", 'f("a");'],
  ["src/a.ts", "const ab = 1;", "const a b = 1;"],
  ["src/a.ts", "// reads it", "// writes it"],
  ["config/a.yaml", "  name: a", "    name: a"],
  ["config/a.yaml", "name: 1_000", "name: 1000"],
])("takes no other line of %s for the same: %s", (file, one, other) => {
  expect(lineComparison(file)(one, other)).toBe(false);
  expect(lineComparison(file)(one, `${one} `)).toBe(true);
});

test("shows where an edit would go that does not fit", () => {
  const diff = "   one();\n   too();\n+  more();\n \n@@\n   six();\n+  seven();\n";
  expect(applyEdit(file, diff, { closest: true })).toBe(file.replace("two();", "too();\n  more();"));
});

test("compares the numbers of a hunk with the file only on request", () => {
  const numbered = (ranges: string) =>
    `--- a/f.ts\n+++ b/f.ts\n${ranges}\n   one();\n-  two();\n+  too();\n \n`;
  const edited = file.replace("two", "too");
  const check = { checkNumbers: true };
  expect(applyEdit(file, numbered("@@ -4,3 +4,3 @@"), check)).toBe(edited);
  expect(applyEdit(file, numbered("@@ -5,3 +5,3 @@"))).toBe(edited);
  expect(() => applyEdit(file, numbered("@@ -5,3 +5,3 @@"), check)).toThrow(
    'the numbers of this hunk must be "@@ -4,3 +4,3 @@"',
  );
  expect(applyEdit(file, numbered("@@"), check)).toBe(edited);
});

test("reads a drawn tree as a list of paths", () => {
  const drawn =
    "podbuggertool\n├── crd.yaml        # the definition\n├── src\n│   ├── main.ts\n│   └── types.ts\n└── package.json\n";
  expect(parseTree(drawn)).toEqual([
    "podbuggertool/",
    "podbuggertool/crd.yaml",
    "podbuggertool/package.json",
    "podbuggertool/src/",
    "podbuggertool/src/main.ts",
    "podbuggertool/src/types.ts",
  ]);
});

test("rejects a path that leads out of the learner's folder", () => {
  expect(() => pathBelow("/a/b", "../c")).toThrow('"../c" leads out of the learner\'s folder');
  expect(pathBelow("/a/b", "c/../d")).toBe("/a/b/d");
});
