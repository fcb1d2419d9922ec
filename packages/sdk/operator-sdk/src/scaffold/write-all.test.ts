import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeAll } from "./write-all.ts";

function openRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "write-all-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "old"), "before");
  return root;
}

test("overwrites files, keeps their mode, and creates folders", () => {
  const root = openRoot();
  const texts = new Map([
    ["old", "after"],
    ["a/b/new", "new"],
  ]);
  writeAll(root, texts, () => {});
  expect(readFileSync(join(root, "old"), "utf8")).toBe("after");
  expect(readFileSync(join(root, "a/b/new"), "utf8")).toBe("new");
  expect(readdirSync(root).sort()).toEqual(["a", "old"]);
});

test("restores all previous files if one cannot be moved to its place", () => {
  const root = openRoot();
  mkdirSync(join(root, "kept"));
  const texts = new Map([
    ["old", "after"],
    ["kept/new", "new"],
    ["made/file", "new"],
    ["made/file/below", "new"],
  ]);
  expect(() => writeAll(root, texts, () => {})).toThrow(
    "cannot write made/file/below: its folder is a file; nothing was written",
  );
  expect(readFileSync(join(root, "old"), "utf8")).toBe("before");
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(["kept", "old"]);
});
