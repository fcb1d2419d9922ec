import { expect, test } from "vitest";
import { type EditorTab, withTab } from "./open-tabs.ts";

const file = (path: string): EditorTab => ({ kind: "file", path });
const six = ["a", "b", "c", "d", "e", "f"].map(file);
const paths = (tabs: readonly EditorTab[]): string => tabs.map(({ path }) => path).join("");

test("a seventh tab takes the place of the oldest one whose file is saved", () => {
  expect(paths(withTab(six, file("g"), (path) => path === "a"))).toBe("acdefg");
});

test("a tab that is open stays in its place", () => {
  expect(paths(withTab(six, file("c"), () => false))).toBe("abcdef");
});

test("no unsaved file loses its tab", () => {
  expect(paths(withTab(six, file("g"), () => true))).toBe("abcdefg");
});
