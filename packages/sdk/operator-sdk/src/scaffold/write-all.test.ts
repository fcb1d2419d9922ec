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

test("what was there is written over, with its mode; folders are made", () => {
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

test("one that cannot be moved to its place: those before it are what they were", () => {
  const root = openRoot();
  mkdirSync(join(root, "kept"));
  const texts = new Map([
    ["old", "after"],
    ["kept/new", "new"],
    ["made/file", "new"],
    ["made/file/below", "new"],
  ]);
  expect(() => writeAll(root, texts, () => {})).toThrow(
    "cannot write made/file/below: a file stands where a folder has to be; nothing was written",
  );
  expect(readFileSync(join(root, "old"), "utf8")).toBe("before");
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(["kept", "old"]);
});
