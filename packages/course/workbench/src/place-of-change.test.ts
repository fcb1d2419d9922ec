import { expect, test } from "vitest";
import { placeOfChange, placeOfStarter } from "./place-of-change.ts";

test("a change is where most of it is, and not at its imports", () => {
  const imports = "import x\nimport y\nimport z\n";
  expect(placeOfChange("a\nb\nc\n", `${imports}a\nx()\nb\nx()\ny()\nc\n`)).toBe(7);
  expect(placeOfChange("a\n", `x()\na\n`)).toBe(1);
  expect(placeOfChange("a\n", `a\n${imports}`)).toBe(2);
});

test("a new file begins at its first line", () => {
  expect(placeOfChange("", "a\nb\n")).toBe(1);
});

test("a deletion is where its lines were", () => {
  expect(placeOfChange("a\nb\nc", "a\nc")).toBe(2);
  expect(placeOfChange("a\nb", "a")).toBe(1);
});

test("a text that stays the same has no place", () => {
  expect(placeOfChange("a", "a")).toBeUndefined();
});

test("an exercise is where the file says that it is the learner's turn", () => {
  const starter = 'function f() {\n  throw new Error("your turn");\n}\n';
  expect(placeOfStarter(`one\ntwo\n${starter}`, starter)).toBe(4);
  expect(placeOfStarter("one\n// Your turn.\n", "one\n// Your turn.\n")).toBe(2);
  expect(placeOfStarter("one\ntwo\nthree\n", "two\n")).toBe(2);
  expect(placeOfStarter("mine\n", starter)).toBe(1);
});
