import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkEnglish } from "./house/english-rules.ts";

const root = join(import.meta.dirname, "..");

/** This rule's own words and examples. */
const own = ["scripts/house/english-rules.ts", "scripts/english.test.ts"];

const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
})
  .toString()
  .split("\0")
  .filter((file) => /\.(?:tsx?|css|js|md|ya?ml|sh)$|(?:^|\/)(?:Makefile|Dockerfile|run)$/.test(file))
  .filter(
    (file) =>
      !/generated|\/recorded\/|\/testdata\/|\/claims\/|pnpm-lock|CHANGELOG/.test(file) && !own.includes(file),
  )
  .filter((file) => existsSync(join(root, file)));
const problemsOf = (file: string): string[] => checkEnglish(file, readFileSync(join(root, file), "utf8"));

test("comments, errors, test names and pages are written in plain English", () => {
  expect(files).toContain("README.md");
  expect(files.flatMap(problemsOf)).toEqual([]);
});

test.each([
  ["// Nobody reads it.", `a.ts:1 "Nobody": name the actor`],
  ["* who waits is told of it", `a.ts:1 "is told": say what the caller receives or what the program reports`],
  ["/** Who has the Lease acts.", `a.ts:1 "Who has": begin with the subject`],
  [`// ${"x".repeat(118)}`, "a.ts:1 is a comment of 121 columns: at most 120"],
])("rejects %s", (line, problem) => {
  expect(checkEnglish("a.ts", line)).toEqual([problem]);
});

test("accepts plain English, and long lines of code and pages", () => {
  expect(checkEnglish("a.ts", `// The leader acts.\nconst x = "${"x".repeat(200)}";`)).toEqual([]);
  expect(checkEnglish("a.md", "x".repeat(200))).toEqual([]);
});
